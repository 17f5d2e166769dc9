// Computes policies on a CPU, from logits and offsets in two files.

#include "../emulated.h"

#include "policies.cu"

int main(int, char** paths) {
    auto logits = read<float>(paths[1]);
    auto offsets = read<int>(paths[2]);
    const int count = offsets.size() - 1;
    std::vector<float> log_probs(logits.size(), NAN), probs(logits.size(), NAN), entropies(count, NAN);
    launch(WARPS * 32, (count + WARPS - 1) / WARPS, [&] {
        policies(logits.data(), offsets.data(), log_probs.data(), probs.data(), entropies.data(), count);
    });
    write(log_probs);
    write(probs);
    write(entropies);
}
