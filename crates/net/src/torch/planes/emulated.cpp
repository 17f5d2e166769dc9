// Makes planes on a CPU, of observations and with tables from two files.
//
// Defined before: what planes.cu asks for.

#include "../emulated.h"

#include "planes.cu"

int main(int, char** paths) {
    auto observations = read<unsigned char>(paths[1]);
    auto tables = read<int>(paths[2]);
    const int count = observations.size() / BYTES;
    // What nobody has written is no number.
    std::vector<uint4> planes(count * SQUARES * CHUNKS, uint4{~0u, ~0u, ~0u, ~0u});
    // Blocks of threads with several positions each.
    launch(THREADS, 2, [&] { make_planes(observations.data(), tables.data(), planes.data(), count); });
    write(planes);
}
