// Gradients of the weights of the residual blocks, and of the convolution before them. Follows
// tower.cu, whose names it uses.
//
// Defined before, too: PLANES, what the first convolution reads, a multiple of 8.

// A thread block has 64 × 64 channels of one convolution and a part of the positions; its sums stay
// in registers until all of these are through. A warp has 32 of the channels that were read, 32 of
// those that were given, and the three taps of one row.
constexpr int SIDE = 64;
constexpr int GIVEN_SIDES = CHANNELS / SIDE;
template <int READ> constexpr int READ_SIDES = (READ + SIDE - 1) / SIDE;
constexpr int AT_ONCE = 3;
constexpr int SIDE_PITCH = SIDE * 2 + 16;
constexpr int STEPS = (AT_ONCE * SQUARES + 15) / 16;
constexpr int SIDE_ROW_BYTES = row_bytes(SIDE_PITCH);
constexpr int READ_BYTES = board_bytes(AT_ONCE, SIDE_PITCH);
constexpr int BUFFER = READ_BYTES + STEPS * 16 * SIDE_PITCH;
constexpr int GATHERERS = 12 * 32;

// 64 channels of some positions: of what a layer read, of which there may be only `width`, and of the
// gradient of what it gave.
template <int READ> struct Sides {
    const u16* read;
    const u16* delta;
    int width, count;

    // Brings a piece of the positions from `begin` on; all steps together bring everything.
    __device__ void fetch(char* buffer, int begin, int step) const {
        const int here = count - begin < AT_ONCE ? count - begin : AT_ONCE;
        const int at = step * GATHERERS + threadIdx.x;
        const int row = at / (SIDE / 8), eighth = at % (SIDE / 8);
        if (row >= AT_ONCE * SQUARES) return;
        char* to = buffer + READ_BYTES + row * SIDE_PITCH + eighth * 16;
        if (row >= here * SQUARES) {
            zero16(to);
            return;
        }
        const size_t square = (size_t)begin * SQUARES + row;
        copy_async(to, (const char*)(delta + square * CHANNELS + eighth * 8));
        if (eighth * 8 < width)
            copy_async(buffer + spot(row / SQUARES, row % SQUARES, SIDE_PITCH) + eighth * 16,
                       (const char*)(read + square * READ + eighth * 8));
    }
};
static_assert(STEPS * GATHERERS >= AT_ONCE * SQUARES * SIDE / 8, "a piece a step");

// The gradients for a thread block with the number `tile`: `to` has them of all weights of a
// convolution, [9, READ, channels given].
template <int READ>
__device__ inline void gather(char* memory, const u16* read, const u16* delta, float* to, int tile, int part,
                              int parts, int count) {
    int* spots = (int*)(memory + 2 * BUFFER);
    const int first_read = tile / GIVEN_SIDES * SIDE, first_given = tile % GIVEN_SIDES * SIDE;
    const Sides<READ> sides = {read + first_read, delta + first_given, READ - first_read, count};

    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int kernel_row = warp / 4, own_read = warp / 2 % 2 * 32, own_given = warp % 2 * 32;
    for (int at = threadIdx.x * 16; at < 2 * BUFFER; at += GATHERERS * 16) zero16(memory + at);
    for (int row = threadIdx.x; row < STEPS * 16; row += GATHERERS) {
        int known = row < AT_ONCE * SQUARES ? row : 0;
        spots[row] = spot(known / SQUARES, known % SQUARES, SIDE_PITCH);
    }
    barrier();

    // Of each tap and half of the channels that were read.
    float sums[6][4][4];
    UNROLL for (int m = 0; m < 6; m++)
        UNROLL for (int n = 0; n < 4; n++)
            UNROLL for (int i = 0; i < 4; i++) sums[m][n][i] = 0;

    const int groups = (count + AT_ONCE - 1) / AT_ONCE;
    int buffer = 0;
    if (part < groups)
        for (int step = 0; step < STEPS; step++) sides.fetch(memory, part * AT_ONCE, step);
    for (int group = part; group < groups; group += parts, buffer ^= 1) {
        wait_copies();
        barrier();
        const char* here = memory + buffer * BUFFER;
        // The lane's rows and channels for `load_across`: of what was read, and of gradients.
        const char* was_read = here + (kernel_row - 1) * SIDE_ROW_BYTES + own_read * 2 + lane / 8 % 2 * 16;
        const char* given = here + READ_BYTES + lane % 16 * SIDE_PITCH + own_given * 2 + lane / 16 * 16;
        const int* places = spots + lane % 8 + lane / 16 * 8;
        _Pragma("unroll 2") for (int step = 0; step < STEPS; step++) {
            const char* squares = was_read + places[step * 16];
            u32 columns[2][4];
            UNROLL for (int n = 0; n < 2; n++) load_across(columns[n], given + step * 16 * SIDE_PITCH + n * 32);
            if (group + parts < groups) sides.fetch(memory + (buffer ^ 1) * BUFFER, (group + parts) * AT_ONCE, step);
            if (own_read >= sides.width) continue;
            UNROLL for (int m = 0; m < 6; m++) {
                u32 rows[4];
                load_across(rows, squares + (m / 2 - 1) * SIDE_PITCH + m % 2 * 32);
                UNROLL for (int n = 0; n < 4; n++) multiply(sums[m][n], rows, columns[n / 2] + n % 2 * 2);
            }
        }
    }
    UNROLL for (int m = 0; m < 6; m++)
        UNROLL for (int n = 0; n < 4; n++)
            UNROLL for (int half = 0; half < 2; half++) {
                const int tap = kernel_row * 3 + m / 2, from = own_read + m % 2 * 16 + half * 8 + lane / 4;
                const int given = first_given + own_given + n * 8 + lane % 4 * 2;
                if (from >= sides.width) continue;
                float* sum = to + ((size_t)tap * READ + first_read + from) * CHANNELS + given;
                sum[0] = sums[m][n][half * 2];
                sum[1] = sums[m][n][half * 2 + 1];
            }
}

// Of the residual blocks.
//
// results, deltas  as the tower has them
// sums             [parts, 2 · blocks, 9, channels read, channels given], of as many parts as there are
//                  blocks of threads for each 64 × 64 channels of each layer
extern "C" __global__ void __launch_bounds__(GATHERERS, 1)
tower_weights(const u16* results, const u16* deltas, float* sums, int count) {
    SHARED(memory);
    constexpr int LAYERS = 2 * BLOCKS, SIDES = READ_SIDES<CHANNELS> * GIVEN_SIDES, TILES_OF_ALL = LAYERS * SIDES;
    const int tile = blockIdx.x % TILES_OF_ALL, part = blockIdx.x / TILES_OF_ALL, layer = tile / SIDES;
    gather<CHANNELS>(memory, results + place(layer, count, 0), deltas + place(layer + 1, count, 0),
                     sums + ((size_t)part * LAYERS + layer) * 9 * CHANNELS * CHANNELS,
                     tile % SIDES, part, gridDim.x / TILES_OF_ALL, count);
}

// Of the convolution before them, which read planes.
//
// planes          [count, squares, PLANES]
// sums            [parts, 9, PLANES, channels]
extern "C" __global__ void __launch_bounds__(GATHERERS, 1)
entry_weights(const u16* planes, const u16* deltas, float* sums, int count) {
    SHARED(memory);
    constexpr int SIDES = READ_SIDES<PLANES> * GIVEN_SIDES;
    const int part = blockIdx.x / SIDES;
    gather<PLANES>(memory, planes, deltas, sums + (size_t)part * 9 * PLANES * CHANNELS,
                   blockIdx.x % SIDES, part, gridDim.x / SIDES, count);
}
