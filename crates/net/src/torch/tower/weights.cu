// Gradients of the weights of the residual blocks, and of the convolution before them. Follows
// tower.cu, whose names it uses.
//
// Defined before, too: PLANES, what the first convolution reads, a multiple of 8.

// A thread block has 64 × 64 channels of one convolution and a part of the positions; its sums stay
// in registers until all of these are through. A warp has 16 of the channels that were read, all of
// those that were given, and the three taps of one row.
constexpr int SIDE = 64;
constexpr int GIVEN_SIDES = CHANNELS / SIDE;
template <int READ> constexpr int READ_SIDES = (READ + SIDE - 1) / SIDE;
constexpr int AT_ONCE = 3;
// Of a square, or of 8 × 8 numbers, with what keeps neighbours in different banks.
constexpr int SIDE_PITCH = SIDE * 2 + 16;
// Of 16 squares, two of which take turns.
constexpr int STEPS = (AT_ONCE * SQUARES + 31) / 32 * 2;
constexpr int STEP_BYTES = 16 * SIDE_PITCH;
constexpr int SIDE_ROW_BYTES = row_bytes(SIDE_PITCH);
constexpr int READ_BYTES = board_bytes(AT_ONCE, SIDE_PITCH);
constexpr int BUFFER = READ_BYTES + STEPS * STEP_BYTES;
constexpr int GATHERERS = 12 * 32;

// Where the gradients of 8 channels of a square begin: those of 8 squares lie in one piece.
__device__ inline int place_given(int square, int eighth) {
    return (square / 8 * (SIDE / 8) + eighth) * SIDE_PITCH + square % 8 * 16;
}

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
        char* to = buffer + READ_BYTES + place_given(row, eighth);
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

// Of each tap 16 channels of 16 squares, in one of two turns.
typedef u32 Neighbours[3][4];
typedef float TapSums[3][SIDE / 8][4];

__device__ inline void load_neighbours(Neighbours& neighbours, const char* square) {
    UNROLL for (int tap = 0; tap < 3; tap++) load_across(neighbours[tap], square + (tap - 1) * SIDE_PITCH);
}

// Adds the products with the gradients of 16 squares.
__device__ inline void multiply_given(TapSums& sums, const Neighbours& neighbours, const char* given, int lane) {
#if TOGETHER
    begin_products();
    UNROLL for (int tap = 0; tap < 3; tap++)
        multiply_together<true>(sums[tap], neighbours[tap], given, SIDE / 8 * SIDE_PITCH, SIDE_PITCH);
    end_products();
#else
    UNROLL for (int pair = 0; pair < SIDE / 16; pair++) {
        u32 columns[4];
        load_across(columns, given + place_given(lane % 16, pair * 2 + lane / 16));
        UNROLL for (int tap = 0; tap < 3; tap++)
            UNROLL for (int n = 0; n < 2; n++) multiply(sums[tap][pair * 2 + n], neighbours[tap], columns + n * 2);
    }
#endif
}

// The gradients for a thread block with the number `tile`: `to` has them of all weights of a
// convolution, [9, READ, channels given].
template <int READ>
__device__ inline void gather(char* memory, const u16* read, const u16* delta, float* to, int tile, int part,
                              int parts, int count) {
    int* spots = (int*)(memory + 2 * BUFFER);
    const int first_read = tile / GIVEN_SIDES * SIDE, first_given = tile % GIVEN_SIDES * SIDE;
    const Sides<READ> sides = {read + first_read, delta + first_given, READ - first_read, count};

    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int kernel_row = warp / 4, own_read = warp % 4 * 16;
    for (int at = threadIdx.x * 16; at < 2 * BUFFER; at += GATHERERS * 16) zero16(memory + at);
    for (int row = threadIdx.x; row < STEPS * 16; row += GATHERERS) {
        int known = row < AT_ONCE * SQUARES ? row : 0;
        spots[row] = spot(known / SQUARES, known % SQUARES, SIDE_PITCH);
    }
    barrier();

    TapSums sums;
    UNROLL for (int tap = 0; tap < 3; tap++)
        UNROLL for (int n = 0; n < SIDE / 8; n++)
            UNROLL for (int i = 0; i < 4; i++) sums[tap][n][i] = 0;

    const int groups = (count + AT_ONCE - 1) / AT_ONCE;
    int buffer = 0;
    if (part < groups)
        for (int step = 0; step < STEPS; step++) sides.fetch(memory, part * AT_ONCE, step);
    for (int group = part; group < groups; group += parts, buffer ^= 1) {
        wait_copies();
        make_way();
        barrier();
        const char* here = memory + buffer * BUFFER;
        // The lane's rows and channels for `load_across`.
        const char* was_read = here + (kernel_row - 1) * SIDE_ROW_BYTES + own_read * 2 + lane / 8 % 2 * 16;
        const int* places = spots + lane % 8 + lane / 16 * 8;
        Neighbours neighbours[2];
        load_neighbours(neighbours[0], was_read + places[0]);
        for (int first = 0; first < STEPS; first += 2)
            UNROLL for (int turn = 0; turn < 2; turn++) {
                const int step = first + turn;
                multiply_given(sums, neighbours[turn], here + READ_BYTES + step * STEP_BYTES, lane);
                await_products<1>();
                if (group + parts < groups) sides.fetch(memory + (buffer ^ 1) * BUFFER, (group + parts) * AT_ONCE, step);
                if (step + 1 < STEPS) load_neighbours(neighbours[turn ^ 1], was_read + places[(step + 1) * 16]);
            }
        await_products<0>();
    }
    UNROLL for (int tap = 0; tap < 3; tap++)
        UNROLL for (int n = 0; n < SIDE / 8; n++) {
            UNROLL for (int i = 0; i < 4; i++) settle(sums[tap][n][i]);
            UNROLL for (int half = 0; half < 2; half++) {
                const int from = own_read + half * 8 + lane / 4, given = first_given + n * 8 + lane % 4 * 2;
                if (from >= sides.width) continue;
                float* sum = to + ((size_t)(kernel_row * 3 + tap) * READ + first_read + from) * CHANNELS + given;
                sum[0] = sums[tap][n][half * 2];
                sum[1] = sums[tap][n][half * 2 + 1];
            }
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
