// Runs the kernels on a CPU, thread by thread, and compares what they give with a plain computation.
//
// Defined before: what tower.cu asks for.

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <ucontext.h>
#include <vector>

typedef unsigned int u32;
typedef unsigned short u16;
typedef unsigned long long u64;
#define UNROLL
#define UNROLL_SOME
#define __device__
#define __global__
#define __launch_bounds__(threads, blocks)
#define SHARED(name) char* name = shared_memory

struct Index {
    int x;
};
static Index threadIdx, blockIdx, gridDim;
static char* shared_memory;

// Every thread of a block is a context of its own; one that waits lets the others run.
static std::vector<ucontext_t> contexts;
static std::vector<bool> finished;
static ucontext_t scheduler;
static std::function<void()> kernel;

struct Meeting {
    int arrived, number;
};
static Meeting of_block, of_warp[32];

static void meet(Meeting& meeting, int size) {
    int number = meeting.number, own = threadIdx.x;
    if (++meeting.arrived == size) {
        meeting.arrived = 0;
        meeting.number++;
    }
    while (meeting.number == number) {
        swapcontext(&contexts[own], &scheduler);
        threadIdx.x = own;
    }
}

static void run_thread(int number) {
    threadIdx.x = number;
    kernel();
    finished[number] = true;
    swapcontext(&contexts[number], &scheduler);
}

static void launch(int threads, int blocks, size_t memory, std::function<void()> body) {
    kernel = body;
    gridDim.x = blocks;
    for (blockIdx.x = 0; blockIdx.x < blocks; blockIdx.x++) {
        // What nobody has written is not a number.
        std::vector<char> bytes(memory + 16, '\x7f');
        shared_memory = bytes.data() + (16 - (uintptr_t)bytes.data() % 16) % 16;
        std::vector<std::vector<char>> stacks(threads, std::vector<char>(1 << 16));
        contexts.assign(threads, ucontext_t());
        finished.assign(threads, false);
        for (int i = 0; i < threads; i++) {
            getcontext(&contexts[i]);
            contexts[i].uc_stack.ss_sp = stacks[i].data();
            contexts[i].uc_stack.ss_size = stacks[i].size();
            makecontext(&contexts[i], (void (*)())run_thread, 1, i);
        }
        for (int left = threads; left > 0;)
            for (int i = 0; i < threads; i++) {
                if (finished[i]) continue;
                threadIdx.x = i;
                swapcontext(&scheduler, &contexts[i]);
                left -= finished[i];
            }
    }
}

// What processor.cu asks of a GPU.

static float __uint_as_float(u32 bits) {
    float number;
    memcpy(&number, &bits, 4);
    return number;
}
static u16 round_to_bf16(float number) {
    u32 bits;
    memcpy(&bits, &number, 4);
    return (bits + 0x7fff + (bits >> 16 & 1)) >> 16;
}
static float from_bf16(u16 bits) { return __uint_as_float((u32)bits << 16); }
static u32 round_pair(float a, float b) { return round_to_bf16(a) | (u32)round_to_bf16(b) << 16; }

static const char* aligned(const char* address) {
    if ((uintptr_t)address % 16 == 0) return address;
    puts("an address is not a multiple of 16");
    exit(1);
}
static void copy16(char* to, const char* from) { memcpy((char*)aligned(to), aligned(from), 16); }
static void copy_async(char* to, const char* from) { copy16(to, from); }
static void zero16(char* to) { memset((char*)aligned(to), 0, 16); }
static void load16(u32* to, const char* from) { memcpy(to, aligned(from), 16); }
static void load_constants(float* to, const float* from) { memcpy(to, from, 8); }
static void store16(char* to, const u32* from) { memcpy((char*)aligned(to), from, 16); }
static void wait_copies() {}
static void barrier() { meet(of_block, (int)contexts.size()); }
static void expect_deliveries(u64*) {}
static void deliver(u64*, char* to, const char* from, int bytes) {
    if (threadIdx.x == 0) memcpy((char*)aligned(to), aligned(from), bytes);
}
// Thread 0 has brought everything before any thread comes through the barrier that follows.
static void await(u64*, int) {}
static void make_way() {}
static u32 round_positive(float a, float b) { return round_pair(a > 0 ? a : 0, b > 0 ? b : 0); }
static u32 larger(u32 a, u32 b) {
    auto of_two = [](u32 x, u32 y) { return __uint_as_float(x) > __uint_as_float(y) ? x : y; };
    return of_two(a & 0xffff0000u, b & 0xffff0000u) | of_two(a << 16, b << 16) >> 16;
}

// What the lanes of each warp have named or hold.
static const char* named[32][32];
static u32 left_of[32][32][4], right_of[32][32][2];

static u16 number_at(int warp, int row, int column) {
    u16 number;
    memcpy(&number, named[warp][row] + column * 2, 2);
    return number;
}
static void load(u32* matrices, const char* from, bool across) {
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32, a = lane / 4, b = lane % 4 * 2;
    named[warp][lane] = aligned(from);
    meet(of_warp[warp], 32);
    for (int i = 0; i < 4; i++)
        matrices[i] = across ? number_at(warp, i * 8 + b, a) | (u32)number_at(warp, i * 8 + b + 1, a) << 16
                             : number_at(warp, i * 8 + a, b) | (u32)number_at(warp, i * 8 + a, b + 1) << 16;
    meet(of_warp[warp], 32);
}
static void store_matrix(char* to, const u32* matrices) {
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    named[warp][lane] = aligned(to);
    meet(of_warp[warp], 32);
    for (int i = 0; i < 4; i++) memcpy((char*)named[warp][i * 8 + lane / 4] + lane % 4 * 4, &matrices[i], 4);
    meet(of_warp[warp], 32);
}
static void load_matrix(u32* matrices, const char* from) { load(matrices, from, false); }
static void load_across(u32* matrices, const char* from) { load(matrices, from, true); }

static float half_of(u32 pair, int number) { return from_bf16(number ? pair >> 16 : pair & 0xffff); }
static void multiply(float* c, const u32* a, const u32* b) {
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    memcpy(left_of[warp][lane], a, 16);
    memcpy(right_of[warp][lane], b, 8);
    meet(of_warp[warp], 32);
    for (int i = 0; i < 4; i++) {
        int row = lane / 4 + i / 2 * 8, column = lane % 4 * 2 + i % 2;
        for (int k = 0; k < 16; k++) {
            u32 left = left_of[warp][row % 8 * 4 + k % 8 / 2][row / 8 + k / 8 * 2];
            u32 right = right_of[warp][column * 4 + k % 8 / 2][k / 8];
            c[i] += half_of(left, k % 2) * half_of(right, k % 2);
        }
    }
    meet(of_warp[warp], 32);
}

#if TOGETHER
static void begin_products() {}
static void end_products() {}
template <bool ACROSS> static void multiply_together(float (*c)[4], const u32* a, const char* b, int below, int beside) {
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    memcpy(left_of[warp][lane], a, 16);
    meet(of_warp[warp], 32);
    for (int i = 0; i < 32; i++) {
        int row = lane / 4 + i % 4 / 2 * 8, column = i / 4 * 8 + lane % 4 * 2 + i % 2;
        for (int k = 0; k < 16; k++) {
            u32 left = left_of[warp][row % 8 * 4 + k % 8 / 2][row / 8 + k / 8 * 2];
            const char* piece = aligned(b) + k / 8 * below + column / 8 * beside;
            u16 right;
            memcpy(&right, piece + (ACROSS ? k % 8 * 16 + column % 8 * 2 : column % 8 * 16 + k % 8 * 2), 2);
            c[i / 4][i % 4] += half_of(left, k % 2) * from_bf16(right);
        }
    }
    meet(of_warp[warp], 32);
}
#endif
template <int LAST> static void await_products() {}
static void settle(float&) {}

#include "tower.cu"
#if CHANNELS % 64 == 0
#include "weights.cu"
#endif

// The plain computation.

typedef std::vector<float> Floats;
typedef std::vector<u16> Numbers;
constexpr int LAYERS = 2 * BLOCKS, C = CHANNELS;

static float noise() { return (rand() % 2001 - 1000) / 1000.0f; }
static Numbers rounded(const Floats& floats) {
    Numbers numbers;
    for (float number : floats) numbers.push_back(round_to_bf16(number));
    return numbers;
}
static Floats widened(const Numbers& numbers, size_t begin, size_t len) {
    Floats floats;
    for (size_t i = begin; i < begin + len; i++) floats.push_back(from_bf16(numbers[i]));
    return floats;
}

// Calls `each` with the squares and the tap of every neighbourhood of a board.
template <typename F> static void neighbours(int count, F each) {
    for (int position = 0; position < count; position++)
        for (int row = 0; row < ROWS; row++)
            for (int column = 0; column < COLUMNS; column++)
                for (int tap = 0; tap < 9; tap++) {
                    int r = row + tap / 3 - 1, c = column + tap % 3 - 1;
                    if (r < 0 || r >= ROWS || c < 0 || c >= COLUMNS) continue;
                    int first = position * SQUARES;
                    each(first + row * COLUMNS + column, first + r * COLUMNS + c, tap);
                }
}

// Weights `[given, read, 9]` in the order of the kernels.
static void arrange(Numbers& to, std::function<float(int, int, int)> weight) {
    for (int tap = 0; tap < 9; tap++)
        for (int read = 0; read < C; read += 16)
            for (int given = 0; given < C; given += 8)
                for (int half = 0; half < 16; half += 8)
                    for (int column = 0; column < 8; column++)
                        for (int row = 0; row < 8; row++)
                            to.push_back(round_to_bf16(weight(given + column, read + half + row, tap)));
}

static void compare(const char* what, const Floats& found, const Floats& expected) {
    double apart = 0, all = 0;
    for (size_t i = 0; i < expected.size(); i++) {
        apart += pow((double)found[i] - expected[i], 2);
        all += pow((double)expected[i], 2);
    }
    double error = sqrt(apart / all);
    printf("%s: %.1e\n", what, error);
    // Not a number is no agreement either.
    if (!(error < 5e-3)) exit(1);
}

int main() {
    const int count = POSITIONS + 2;
    const size_t board = (size_t)count * SQUARES * C;
    Floats products(board), input(board), gradient(board), biases((LAYERS + 1) * C), pools((size_t)BLOCKS * 2 * C * C);
    std::vector<Floats> weights(LAYERS, Floats((size_t)C * C * 9));
    for (float& number : products) number = from_bf16(round_to_bf16(noise()));
    for (float& number : gradient) number = from_bf16(round_to_bf16(noise()));
    for (float& number : biases) number = noise() / 10;
    for (float& number : pools) number = noise() / sqrtf(C);
    for (auto& layer : weights)
        for (float& number : layer) number = from_bf16(round_to_bf16(noise() / sqrtf(3 * C)));

    // Forwards. Results are rounded where the kernel rounds them.
    for (size_t i = 0; i < board; i++) input[i] = from_bf16(round_to_bf16(fmaxf(products[i] + biases[i % C], 0)));
    std::vector<Floats> results;
    Floats pooled((size_t)BLOCKS * count * 3 * C);
    const Floats* features = &input;
    for (int layer = 0; layer < LAYERS; layer++) {
        const Floats& read = layer % 2 ? results[layer - 1] : *features;
        Floats sums(board);
        neighbours(count, [&](int to, int from, int tap) {
            for (int i = 0; i < C; i++)
                for (int o = 0; o < C; o++)
                    sums[(size_t)to * C + o] += read[(size_t)from * C + i] * weights[layer][(o * C + i) * 9 + tap];
        });
        for (int row = 0; row < count * SQUARES; row++)
            for (int o = 0; o < C; o++) {
                float& sum = sums[(size_t)row * C + o];
                sum += biases[(layer + 1) * C + o];
                if (layer % 2) {
                    const float* pool = &pooled[((size_t)layer / 2 * count + row / SQUARES) * 3 * C];
                    for (int k = 0; POOL && k < 2 * C; k++) sum += pool[k] * pools[((size_t)layer / 2 * 2 * C + k) * C + o];
                    sum += (*features)[(size_t)row * C + o];
                }
                sum = from_bf16(round_to_bf16(fmaxf(sum, 0)));
            }
        for (int position = 0; layer % 2 == 0 && position < count; position++)
            for (int o = 0; o < C; o++) {
                float mean = 0, most = 0, ties = 0;
                for (int square = 0; square < SQUARES; square++) {
                    float number = sums[((size_t)position * SQUARES + square) * C + o];
                    mean += number / SQUARES;
                    most = fmaxf(most, number);
                }
                for (int square = 0; square < SQUARES; square++)
                    ties += sums[((size_t)position * SQUARES + square) * C + o] == most;
                float* pool = &pooled[((size_t)layer / 2 * count + position) * 3 * C + o];
                pool[0] = mean, pool[C] = most, pool[2 * C] = 1 / ties;
            }
        results.push_back(sums);
        if (layer % 2) features = &results[layer];
        results.reserve(LAYERS);
    }

    Numbers arranged, output(board), kept((LAYERS + 1) * board), given = rounded(products);
    for (auto& layer : weights)
        arrange(arranged, [&](int o, int i, int tap) { return layer[(o * C + i) * 9 + tap]; });
    Floats kept_pools((size_t)BLOCKS * count * 3 * C);
    const int groups = (count + POSITIONS - 1) / POSITIONS;
    std::vector<u32> gates((size_t)(LAYERS + 1) * groups * THREADS * WORDS), peaks(gates.size());
    const size_t memory = 2 * (size_t)BOARD + STAGES * (STAGE + 8) + (size_t)POSITIONS * 3 * C * 4;
    // One block of threads for two groups of positions, the second of which is not full.
    launch(THREADS, 1, memory, [&] {
        tower(given.data(), output.data(), (char*)arranged.data(), biases.data(), pools.data(), count);
    });
    compare("results", widened(output, 0, board), results[LAYERS - 1]);
    launch(THREADS, 1, memory, [&] {
        tower_keep(given.data(), (char*)arranged.data(), biases.data(), pools.data(), kept.data(),
                   kept_pools.data(), gates.data(), peaks.data(), count);
    });
    for (int layer = 0; layer <= LAYERS; layer++)
        compare("results of a layer", widened(kept, layer * board, board), layer ? results[layer - 1] : input);
    if (POOL) compare("pools", kept_pools, pooled);

#if CHANNELS % 64 == 0
    // And back, from what was kept.
    std::vector<Floats> deltas(LAYERS + 1, Floats(board));
    Floats totals((size_t)(LAYERS + 1) * count * C);
    deltas[LAYERS] = gradient;
    for (int layer = LAYERS - 1; layer >= 0; layer--) {
        Floats& delta = deltas[layer + 1];
        for (size_t i = 0; i < board; i++) delta[i] = from_bf16(round_to_bf16(results[layer][i] > 0 ? delta[i] : 0));
        for (size_t i = 0; i < board; i++) totals[((size_t)(layer + 1) * count + i / C / SQUARES) * C + i % C] += delta[i];
        Floats& back = deltas[layer];
        neighbours(count, [&](int to, int from, int tap) {
            for (int i = 0; i < C; i++)
                for (int o = 0; o < C; o++)
                    back[(size_t)from * C + i] += delta[(size_t)to * C + o] * weights[layer][(o * C + i) * 9 + tap];
        });
        for (size_t i = 0; i < board; i++) {
            if (layer % 2 == 0) back[i] += deltas[layer + 2][i];
            else if (POOL) {
                size_t position = i / C / SQUARES;
                const float* pool = &pooled[((size_t)layer / 2 * count + position) * 3 * C];
                for (int half = 0; half < 2; half++) {
                    float sum = 0;
                    size_t row = (size_t)layer / 2 * 2 * C + half * C + i % C;
                    for (int o = 0; o < C; o++) sum += totals[((size_t)(layer + 1) * count + position) * C + o] * pools[row * C + o];
                    bool most = results[layer - 1][i] == pool[C + i % C];
                    back[i] += half ? (most ? sum * pool[2 * C + i % C] : 0) : sum / SQUARES;
                }
            }
        }
    }
    for (size_t i = 0; i < board; i++) deltas[0][i] = input[i] > 0 ? deltas[0][i] : 0;
    for (size_t i = 0; i < board; i++) totals[i / C / SQUARES * C + i % C] += deltas[0][i];

    Numbers backwards, found((LAYERS + 1) * board), outer = rounded(gradient);
    for (int layer = LAYERS - 1; layer >= 0; layer--)
        arrange(backwards, [&](int i, int o, int tap) { return weights[layer][(o * C + i) * 9 + 8 - tap]; });
    Floats turned, found_totals((size_t)(LAYERS + 1) * count * C);
    for (int block = 0; block < BLOCKS; block++)
        for (int o = 0; o < C; o++)
            for (int k = 0; k < 2 * C; k++) turned.push_back(pools[((size_t)block * 2 * C + k) * C + o]);
    launch(THREADS, 1, memory, [&] {
        tower_back(outer.data(), kept_pools.data(), gates.data(), peaks.data(), (char*)backwards.data(),
                   turned.data(), found.data(), found_totals.data(), count);
    });
    for (int layer = 0; layer <= LAYERS; layer++)
        compare("deltas", widened(found, layer * board, board), deltas[layer]);
    compare("totals", found_totals, totals);

    // Gradients of weights: of a convolution that read so many channels of `read`.
    const int parts = 2;
    auto expect = [&](Floats& expected, size_t first, int channels, const Floats& read, const Floats& delta) {
        neighbours(count, [&](int to, int from, int tap) {
            for (int i = 0; i < channels; i++)
                for (int o = 0; o < C; o++)
                    expected[first + ((size_t)tap * channels + i) * C + o] +=
                        read[(size_t)from * channels + i] * delta[(size_t)to * C + o];
        });
    };
    auto compare_sums = [&](const char* what, Floats& sums, const Floats& expected) {
        for (size_t i = 0; i < expected.size(); i++) sums[i] += sums[expected.size() + i];
        compare(what, sums, expected);
    };
    const size_t memory_of_weights = 2 * BUFFER + STEPS * 16 * 4;
    const size_t matrices = (size_t)LAYERS * 9 * C * C;
    Floats sums(parts * matrices, NAN), expected(matrices);
    launch(GATHERERS, parts * LAYERS * READ_SIDES<C> * GIVEN_SIDES, memory_of_weights, [&] {
        tower_weights(kept.data(), found.data(), sums.data(), count);
    });
    for (int layer = 0; layer < LAYERS; layer++)
        expect(expected, (size_t)layer * 9 * C * C, C, layer ? results[layer - 1] : input, deltas[layer + 1]);
    compare_sums("gradients of weights", sums, expected);

    Floats planes((size_t)count * SQUARES * PLANES), first(9 * PLANES * C), first_sums(parts * first.size(), NAN);
    for (float& number : planes) number = from_bf16(round_to_bf16(noise()));
    Numbers shown = rounded(planes);
    launch(GATHERERS, parts * READ_SIDES<PLANES> * GIVEN_SIDES, memory_of_weights, [&] {
        entry_weights(shown.data(), found.data(), first_sums.data(), count);
    });
    expect(first, 0, PLANES, planes, deltas[0]);
    compare_sums("gradients of the first weights", first_sums, first);
#endif
}
