// The residual blocks of a network in one kernel: the features of a few positions stay in shared
// memory from the first convolution to the last, and only weights stream past. Two kernels go
// forward, for evaluation and for learning; another takes gradients back.
//
// Defined before this text: CHANNELS, ROWS, COLUMNS, BLOCKS, POOL (0 or 1); and how the work is
// shared out: POSITIONS (of a thread block), TILES (of 16 squares, of a warp), SPLIT (parts of the
// channels among warps), CHUNK (rows of weights that are brought at once), STAGES (how many chunks
// there is room for), WARPS.

constexpr int SQUARES = ROWS * COLUMNS;
// Squares lie in rows with one empty column after each and one empty row before and after each
// position, so that a neighbour off the board is a zero that nobody has to look for.
// A cell has 16 bytes more than its channels, and a row 16 bytes less than its cells: eight squares
// that follow each other then lie in different banks, in one row or in two.
constexpr int PITCH = CHANNELS * 2 + 16;
__device__ constexpr int row_bytes(int pitch) { return (COLUMNS + 1) * pitch - 16; }
__device__ constexpr int board_bytes(int positions, int pitch) { return (positions * (ROWS + 1) + 1) * row_bytes(pitch) + pitch; }
constexpr int ROW_BYTES = row_bytes(PITCH);
// The last cell is for what belongs to no square.
constexpr int NOWHERE = board_bytes(POSITIONS, PITCH);
constexpr int BOARD = NOWHERE + PITCH;
// Pieces of 16 bytes of a square.
constexpr int PIECES = CHANNELS / 8;
constexpr int OUTPUTS = CHANNELS / SPLIT;
constexpr int PAIRS = OUTPUTS / 16;
constexpr int STAGE = CHUNK * CHANNELS * 2;
// Chunks of a layer, and of all layers.
constexpr int CHUNKS = 9 * CHANNELS / CHUNK;
constexpr int ALL_CHUNKS = 2 * BLOCKS * CHUNKS;
constexpr int THREADS = WARPS * 32;

// What a thread computes of a layer: of each tile and 8 channels, two numbers in each of two rows.
typedef float Sums[TILES][PAIRS * 2][4];
// A bit for each of these numbers.
constexpr int WORDS = (TILES * PAIRS * 8 + 31) / 32;
typedef u32 Bits[WORDS];

__device__ inline float low(u32 pair) { return __uint_as_float(pair << 16); }
__device__ inline float high(u32 pair) { return __uint_as_float(pair & 0xffff0000u); }

// The number of the first of the two bits of a row.
__device__ inline int bit(int tile, int n, int half) { return ((tile * PAIRS * 2 + n) * 2 + half) * 2; }
__device__ inline u32 two_bits(const Bits& bits, int first) { return bits[first / 32] >> first % 32 & 3; }
__device__ inline void set_bits(Bits& bits, int first, bool a, bool b) {
    bits[first / 32] |= (a ? 1u << first % 32 : 0) | (b ? 2u << first % 32 : 0);
}

// The bits of this thread among those of `layer`, of so many groups of positions.
__device__ inline size_t place_of_bits(int layer, int groups, int group) {
    return (((size_t)layer * groups + group) * THREADS + threadIdx.x) * WORDS;
}
__device__ inline void load_bits(Bits& bits, const u32* from) {
    UNROLL for (int word = 0; word < WORDS; word++) bits[word] = from[word];
}
__device__ inline void store_bits(u32* to, const Bits& bits) {
    UNROLL for (int word = 0; word < WORDS; word++) to[word] = bits[word];
}

// Where a square of a position lies on a board.
__device__ inline int spot(int position, int square, int pitch) {
    const int row = position * (ROWS + 1) + 1 + square / COLUMNS, column = square % COLUMNS + 1;
    return row * ((COLUMNS + 1) * pitch - 16) + column * pitch;
}

// Where the piece with this number of all squares' pieces lies in a board.
__device__ inline int place_of_piece(int piece) {
    int row = piece / PIECES;
    return spot(row / SQUARES, row % SQUARES, PITCH) + piece % PIECES * 16;
}

// The rows of a matrix that a lane deals with: a row is a square of some position.
struct Rows {
    int named[TILES];     // of each tile, the cell whose channels the lane names for a matrix
    int owner[TILES][2];  // the positions of the two rows that it gets results for
};

__device__ inline void find_rows(Rows& rows, int first_tile, int lane) {
    const int last = POSITIONS * SQUARES - 1;
    UNROLL for (int tile = 0; tile < TILES; tile++) {
        int row = (first_tile + tile) * 16 + lane % 16;
        rows.named[tile] = (row <= last ? spot(row / SQUARES, row % SQUARES, PITCH) : NOWHERE) + lane / 16 * 16;
        UNROLL for (int half = 0; half < 2; half++) {
            int row = (first_tile + tile) * 16 + half * 8 + lane / 4;
            rows.owner[tile][half] = (row <= last ? row : last) / SQUARES;
        }
    }
}

// Brings positions to a board; `wait_copies` waits for them.
__device__ inline void copy_in(char* board, const u16* from, int here) {
    for (int piece = threadIdx.x; piece < here * SQUARES * PIECES; piece += THREADS)
        copy_async(board + place_of_piece(piece), (const char*)from + (size_t)piece * 16);
}

// The same of what a convolution gave without its bias and ReLU, which are added.
__device__ inline void enter(char* board, const u16* from, const float* biases, int here) {
    static_assert(THREADS % PIECES == 0, "a thread has the same channels of every square");
    constexpr int AT_ONCE = 4;
    float bias[8];
    UNROLL for (int i = 0; i < 8; i += 2) load_constants(bias + i, biases + threadIdx.x % PIECES * 8 + i);
    const int pieces = here * SQUARES * PIECES;
    for (int first = threadIdx.x; first < pieces; first += AT_ONCE * THREADS) {
        u32 numbers[AT_ONCE][4] = {};
        UNROLL for (int j = 0; j < AT_ONCE; j++)
            if (first + j * THREADS < pieces) load16(numbers[j], (const char*)from + (size_t)(first + j * THREADS) * 16);
        UNROLL for (int j = 0; j < AT_ONCE; j++) {
            UNROLL for (int i = 0; i < 4; i++)
                numbers[j][i] = round_positive(low(numbers[j][i]) + bias[2 * i], high(numbers[j][i]) + bias[2 * i + 1]);
            if (first + j * THREADS < pieces) store16(board + place_of_piece(first + j * THREADS), numbers[j]);
        }
    }
}

// Copies a board out: `to` has the squares of its positions one after the other.
__device__ inline void copy_out(u16* to, const char* board, int here) {
    for (int piece = threadIdx.x; piece < here * SQUARES * PIECES; piece += THREADS)
        copy16((char*)to + (size_t)piece * 16, board + place_of_piece(piece));
}

// Weights on their way, in the stages by turns: 8 × 8 numbers in one piece, with the rows of the
// matrix, which belong to channels that are read, side by side.
struct Stream {
    char* stages;
    u64* deliveries;
    const char* weights;
    // The number of the chunk that comes next, of this group's and of all groups'.
    int chunk, of_all;

    __device__ void fetch(int ahead) {
        if (chunk + ahead >= ALL_CHUNKS) return;
        const int stage = (of_all + ahead) % STAGES;
        deliver(deliveries + stage, stages + stage * STAGE, weights + (size_t)(chunk + ahead) * STAGE, STAGE);
    }
    // Begins with a group, after a barrier.
    __device__ void restart() {
        chunk = 0;
        for (int ahead = 0; ahead < STAGES - 1; ahead++) fetch(ahead);
    }
    // Space for STAGE bytes that nobody uses between two layers.
    __device__ float* space() { return (float*)(stages + (of_all + STAGES - 1) % STAGES * STAGE); }
    // Waits for the next chunk. Before Hopper others see it after a barrier.
    __device__ const char* arrived() {
        const int stage = of_all % STAGES;
        await(deliveries + stage, of_all / STAGES);
        chunk++;
        of_all++;
        return stages + stage * STAGE;
    }
    // Once all have done with the chunk before, its place is taken by another.
    __device__ void go_on() {
        barrier();
        fetch(STAGES - 2);
    }
};

typedef u32 Squares[TILES][4];

// The lane's part of 16 numbers of each row: of the tap and the channels that belong to row `row` of the
// weights.
__device__ inline void load_squares(Squares& squares, const Rows& rows, const char* from, int row) {
    const int tap = row / CHANNELS, channel = row % CHANNELS;
    const char* near = from + (tap / 3 - 1) * ROW_BYTES + (tap % 3 - 1) * PITCH + channel * 2;
    UNROLL for (int tile = 0; tile < TILES; tile++) load_matrix(squares[tile], near + rows.named[tile]);
}

// Adds the products with 16 rows of weights.
__device__ inline void multiply_squares(Sums& sums, const Squares& squares, const char* weights, int lane) {
#if TOGETHER
    begin_products();
    UNROLL for (int tile = 0; tile < TILES; tile++)
        UNROLL for (int n = 0; n < PAIRS * 2; n += 8)
            multiply_together<false>(sums[tile] + n, squares[tile], weights + n * 256, 128, 256);
    end_products();
#else
    UNROLL for (int pair = 0; pair < PAIRS; pair++) {
        u32 columns[4];
        load_matrix(columns, weights + pair * 512 + lane * 16);
        UNROLL for (int tile = 0; tile < TILES; tile++) {
            multiply(sums[tile][pair * 2], squares[tile], columns);
            multiply(sums[tile][pair * 2 + 1], squares[tile], columns + 2);
        }
    }
#endif
}

// Adds a convolution of the board at `from` to `sums`. If there is a place for it, the board is
// copied out at the same time.
template <bool COPIES>
__device__ inline void convolve(Sums& sums, const Rows& rows, const char* from, Stream& stream, int part, int lane,
                                u16* copy, int here) {
    static_assert(9 * CHANNELS / 16 * THREADS >= POSITIONS * SQUARES * PIECES, "a piece a step");
    static_assert(CHUNK % 32 == 0, "squares of two steps take turns");
    int piece = threadIdx.x;
    const int pieces = here * SQUARES * PIECES;
    Squares squares[2];
    for (int row = 0; row < 9 * CHANNELS; row += CHUNK) {
        const char* stage = stream.arrived() + part * PAIRS * 512;
        // Everybody sees the board, and the chunk, after a barrier. Where products are awaited, only
        // the first chunk of a layer has to wait for it: the others keep the processor busy meanwhile.
        if (!TOGETHER || row == 0) stream.go_on();
        if (row == 0) load_squares(squares[0], rows, from, 0);
        UNROLL for (int k = 0; k < CHUNK; k += 16) {
            multiply_squares(sums, squares[k / 16 % 2], stage + k * CHANNELS * 2, lane);
            await_products<1>();
            if (TOGETHER && k == 0 && row > 0) stream.go_on();
            if (row + k + 16 < 9 * CHANNELS) load_squares(squares[(k / 16 + 1) % 2], rows, from, row + k + 16);
            if (COPIES && piece < pieces) {
                copy16((char*)copy + (size_t)piece * 16, from + place_of_piece(piece));
                piece += THREADS;
            }
        }
    }
    await_products<0>();
    UNROLL for (int tile = 0; tile < TILES; tile++)
        UNROLL for (int n = 0; n < PAIRS * 2; n++)
            UNROLL for (int i = 0; i < 4; i++) settle(sums[tile][n][i]);
}

// Adds the numbers of a board to sums.
__device__ inline void add_board(Sums& sums, const Rows& rows, const char* board, int part) {
    UNROLL for (int tile = 0; tile < TILES; tile++)
        UNROLL for (int pair = 0; pair < PAIRS; pair++) {
            u32 matrix[4];
            load_matrix(matrix, board + rows.named[tile] + part * OUTPUTS * 2 + pair * 32);
            UNROLL for (int i = 0; i < 4; i++) {
                sums[tile][pair * 2 + i / 2][i % 2 * 2] += low(matrix[i]);
                sums[tile][pair * 2 + i / 2][i % 2 * 2 + 1] += high(matrix[i]);
            }
        }
}

// Products of each position's K numbers and a matrix [K, N], with the help of `space` for STAGE
// bytes. All threads have met before; `take` is given the position, the column and the product.
template <int K, int N, typename F>
__device__ inline void multiply_vectors(const float* vectors, const float* matrix, float* space, F take) {
    // A thread has two columns and a part of the sums, of some positions at once.
    constexpr int SLICES = THREADS / (N / 2) < K ? THREADS / (N / 2) : K;
    constexpr int STEP = (K + SLICES - 1) / SLICES;
    constexpr int FIT = STAGE / (SLICES * N * 4);
    constexpr int SOME = POSITIONS < 8 ? POSITIONS : 8;
    constexpr int AT_ONCE = SOME < FIT ? SOME : FIT;
    static_assert(SLICES > 0 && FIT > 0, "there is space for the parts of the sums");
    const int column = threadIdx.x % (N / 2) * 2, slice = threadIdx.x / (N / 2);
    for (int first = 0; first < POSITIONS; first += AT_ONCE) {
        if (slice < SLICES) {
            float sums[AT_ONCE][2];
            UNROLL for (int i = 0; i < AT_ONCE; i++) sums[i][0] = sums[i][1] = 0;
            UNROLL_SOME for (int step = 0; step < STEP; step++) {
                const int k = slice * STEP + step;
                if (K % SLICES != 0 && k >= K) break;
                float weights[2];
                load_constants(weights, matrix + k * N + column);
                UNROLL for (int i = 0; i < AT_ONCE; i++) {
                    if (POSITIONS % AT_ONCE != 0 && first + i >= POSITIONS) break;
                    float number = vectors[(first + i) * K + k];
                    sums[i][0] += number * weights[0];
                    sums[i][1] += number * weights[1];
                }
            }
            UNROLL for (int i = 0; i < AT_ONCE; i++)
                UNROLL for (int j = 0; j < 2; j++) space[(slice * AT_ONCE + i) * N + column + j] = sums[i][j];
        }
        barrier();
        for (int at = threadIdx.x; at < AT_ONCE * N; at += THREADS) {
            if (first + at / N >= POSITIONS) break;
            float sum = 0;
            UNROLL for (int slice = 0; slice < SLICES; slice++) sum += space[slice * AT_ONCE * N + at];
            take(first + at / N, at % N, sum);
        }
        make_way();
        barrier();
    }
}

// For each position and channel mean and maximum over the squares of a board; and to `keep`, if it
// is there, these and the reciprocal of how many squares have the maximum.
__device__ inline void pool(const char* board, float* pooled, float* keep, int here) {
    for (int at = threadIdx.x; at < POSITIONS * CHANNELS / 2; at += THREADS) {
        const int position = at / (CHANNELS / 2), channel = at % (CHANNELS / 2) * 2;
        const char* first = board + spot(position, 0, PITCH) + channel * 2;
        float sum[2] = {0, 0};
        u32 most = 0;
        for (int row = 0; row < ROWS; row++)
            UNROLL for (int column = 0; column < COLUMNS; column++) {
                u32 pair = *(const u32*)(first + row * ROW_BYTES + column * PITCH);
                sum[0] += low(pair);
                sum[1] += high(pair);
                most = larger(most, pair);
            }
        float* to = pooled + position * 2 * CHANNELS + channel;
        to[0] = sum[0] / SQUARES;
        to[1] = sum[1] / SQUARES;
        to[CHANNELS] = low(most);
        to[CHANNELS + 1] = high(most);
        if (!keep || position >= here) continue;
        float ties[2] = {0, 0};
        for (int row = 0; row < ROWS; row++)
            UNROLL for (int column = 0; column < COLUMNS; column++) {
                u32 apart = *(const u32*)(first + row * ROW_BYTES + column * PITCH) ^ most;
                ties[0] += apart & 0xffffu ? 0 : 1;
                ties[1] += apart & 0xffff0000u ? 0 : 1;
            }
        UNROLL for (int i = 0; i < 2; i++) {
            float* kept = keep + position * 3 * CHANNELS + channel + i;
            kept[0] = to[i];
            kept[CHANNELS] = to[CHANNELS + i];
            kept[2 * CHANNELS] = 1 / ties[i];
        }
    }
}

// The place of the first number of position `begin` in layer `layer` of `layers` tensors.
__device__ inline size_t place(int layer, int count, int begin) {
    return ((size_t)layer * count + begin) * SQUARES * CHANNELS;
}

// What all kernels begin with: empty boards, and no weights yet.
__device__ inline void prepare(char* boards, Stream& stream) {
    for (int at = threadIdx.x * 16; at < 2 * BOARD; at += THREADS * 16) zero16(boards + at);
    UNROLL for (int i = 0; i < STAGES; i++) expect_deliveries(stream.deliveries + i);
}

// What is kept for the way back.
struct Kept {
    u16* results;  // [2 · blocks + 1, count, squares, channels]: of each convolution, after its ReLU;
                   // the first is the one before the tower
    float* pools;  // [blocks, count, 3, channels]: means, maxima, and the reciprocal of how many
                   // squares have the maximum
    u32* gates;    // [2 · blocks + 1, groups, threads, words]: what is not zero of the results, as the
                   // threads compute it that deal with so many groups of positions
    u32* peaks;    // [blocks, groups, threads, words]: what has the maximum
};

// Which numbers of a board are not zero, or have the maximum of their channel.
template <typename F>
__device__ inline void mark(u32* to, const Rows& rows, const char* board, int part, int lane, F marks) {
    Bits bits = {};
    UNROLL for (int tile = 0; tile < TILES; tile++)
        UNROLL for (int pair = 0; pair < PAIRS; pair++) {
            u32 matrix[4];
            load_matrix(matrix, board + rows.named[tile] + part * OUTPUTS * 2 + pair * 32);
            UNROLL for (int i = 0; i < 4; i++) {
                const int n = pair * 2 + i / 2, channel = part * OUTPUTS + n * 8 + lane % 4 * 2;
                u32 two = marks(matrix[i], rows.owner[tile][i % 2], channel);
                set_bits(bits, bit(tile, n, i % 2), two & 1, two & 2);
            }
        }
    store_bits(to, bits);
}

template <bool LEARNS>
__device__ inline void go_forward(const u16* products, u16* output, const char* weights, const float* biases,
                                  const float* pool_weights, Kept kept, int count) {
    SHARED(memory);
    char* features = memory;
    char* inner = features + BOARD;
    char* stages = memory + 2 * BOARD;
    float* pooled = (float*)(stages + STAGES * STAGE);
    float* added = pooled + POSITIONS * 2 * CHANNELS;
    Stream stream = {stages, (u64*)(added + POSITIONS * CHANNELS), weights, 0, 0};

    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, part = warp / (WARPS / SPLIT);
    Rows rows;
    find_rows(rows, warp % (WARPS / SPLIT) * TILES, lane);
    prepare(memory, stream);

    const int groups = (count + POSITIONS - 1) / POSITIONS;
    for (int group = blockIdx.x; group < groups; group += gridDim.x) {
        const int begin = group * POSITIONS;
        const int here = count - begin < POSITIONS ? count - begin : POSITIONS;
        barrier();
        stream.restart();
        enter(features, products + place(0, count, begin), biases, here);
        for (int layer = 0; layer < 2 * BLOCKS; layer++) {
            const bool second = layer % 2;
            const char* from = second ? inner : features;
            char* to = second ? features : inner;
            Sums sums;
            UNROLL for (int n = 0; n < PAIRS * 2; n++) {
                const int channel = part * OUTPUTS + n * 8 + lane % 4 * 2;
                float bias[2];
                load_constants(bias, biases + (layer + 1) * CHANNELS + channel);
                UNROLL for (int tile = 0; tile < TILES; tile++)
                    UNROLL for (int i = 0; i < 4; i++) {
                        sums[tile][n][i] = bias[i % 2];
                        if (POOL && second) sums[tile][n][i] += added[rows.owner[tile][i / 2] * CHANNELS + channel + i % 2];
                    }
            }
            if (second) add_board(sums, rows, features, part);
            u16* copy = LEARNS ? kept.results + place(layer, count, begin) : nullptr;
            convolve<LEARNS>(sums, rows, from, stream, part, lane, copy, here);
            if (LEARNS && layer == 0)
                mark(kept.gates + place_of_bits(0, groups, group), rows, features, part, lane,
                     [](u32 pair, int, int) { return (pair & 0x7fffu ? 1 : 0) | (pair & 0x7fff0000u ? 2 : 0); });
            Bits bits = {};
            UNROLL for (int tile = 0; tile < TILES; tile++)
                UNROLL for (int pair = 0; pair < PAIRS; pair++) {
                    u32 matrix[4];
                    UNROLL for (int i = 0; i < 4; i++) {
                        const float* two = sums[tile][pair * 2 + i / 2] + i % 2 * 2;
                        matrix[i] = round_positive(two[0], two[1]);
                        if (LEARNS)
                            set_bits(bits, bit(tile, pair * 2 + i / 2, i % 2), matrix[i] & 0x7fffu, matrix[i] & 0x7fff0000u);
                    }
                    store_matrix(to + rows.named[tile] + part * OUTPUTS * 2 + pair * 32, matrix);
                }
            if (LEARNS) store_bits(kept.gates + place_of_bits(layer + 1, groups, group), bits);
            if (POOL && !second) {
                barrier();
                float* keep = LEARNS ? kept.pools + ((size_t)(layer / 2) * count + begin) * 3 * CHANNELS : nullptr;
                pool(inner, pooled, keep, here);
                barrier();
                if (LEARNS)
                    mark(kept.peaks + place_of_bits(layer / 2, groups, group), rows, inner, part, lane,
                         [&](u32 pair, int position, int channel) {
                             const float* most = pooled + (position * 2 + 1) * CHANNELS + channel;
                             return (low(pair) == most[0] ? 1 : 0) | (high(pair) == most[1] ? 2 : 0);
                         });
                const float* matrix = pool_weights + layer / 2 * 2 * CHANNELS * CHANNELS;
                multiply_vectors<2 * CHANNELS, CHANNELS>(pooled, matrix, stream.space(), [&](int position, int channel, float sum) {
                    added[position * CHANNELS + channel] = sum;
                });
            }
        }
        barrier();
        copy_out(LEARNS ? kept.results + place(2 * BLOCKS, count, begin) : output + place(0, count, begin), features, here);
    }
}

// What the blocks make of the products of the convolution before them.
//
// products, output [count, squares, channels]
// biases           [2 · blocks + 1, channels], the first of the convolution before
// weights          of the convolutions of the blocks
// pool_weights     [blocks, 2 · channels, channels]
extern "C" __global__ void __launch_bounds__(THREADS, 1)
tower(const u16* products, u16* output, const char* weights, const float* biases, const float* pool_weights, int count) {
    go_forward<false>(products, output, weights, biases, pool_weights, Kept(), count);
}

// The same for the way back: the last of the results is the output.
extern "C" __global__ void __launch_bounds__(THREADS, 1)
tower_keep(const u16* products, const char* weights, const float* biases, const float* pool_weights,
           u16* results, float* pools, u32* gates, u32* peaks, int count) {
    go_forward<true>(products, nullptr, weights, biases, pool_weights, Kept{results, pools, gates, peaks}, count);
}

// For each position and channel, the sum over the squares of a board: to shared and to global memory.
__device__ inline void add_up(const char* board, float* sums, float* to, int here) {
    for (int at = threadIdx.x; at < POSITIONS * CHANNELS / 2; at += THREADS) {
        const int position = at / (CHANNELS / 2), channel = at % (CHANNELS / 2) * 2;
        const char* first = board + spot(position, 0, PITCH) + channel * 2;
        float a = 0, b = 0;
        for (int row = 0; row < ROWS; row++)
            UNROLL for (int column = 0; column < COLUMNS; column++) {
                u32 pair = *(const u32*)(first + row * ROW_BYTES + column * PITCH);
                a += low(pair);
                b += high(pair);
            }
        sums[at * 2] = a;
        sums[at * 2 + 1] = b;
        if (position < here) {
            to[at * 2] = a;
            to[at * 2 + 1] = b;
        }
    }
}

// A pair of numbers, of which only those stay whose bits are set.
__device__ inline u32 open_gates(u32 pair, u32 bits) {
    return pair & ((bits & 1 ? 0xffffu : 0) | (bits & 2 ? 0xffff0000u : 0));
}

// The gradient of what comes before each ReLU, from the gradient of the output.
//
// gradient        [count, squares, channels]
// pools, gates, peaks: what was kept
// weights         of the convolutions backwards, the last first
// pool_weights    [blocks, channels, 2 · channels]
// deltas          [2 · blocks + 1, count, squares, channels]: before the tower, then before the ReLU
//                 of each convolution
// totals          [2 · blocks + 1, count, channels]: of these, sums over the squares
extern "C" __global__ void __launch_bounds__(THREADS, 1)
tower_back(const u16* gradient, const float* pools, const u32* gates, const u32* peaks,
           const char* weights, const float* pool_weights, u16* deltas, float* totals, int count) {
    SHARED(memory);
    char* outer = memory;
    char* inner = outer + BOARD;
    char* stages = memory + 2 * BOARD;
    float* sum_of = (float*)(stages + STAGES * STAGE);
    float* spread = sum_of + POSITIONS * CHANNELS;
    Stream stream = {stages, (u64*)(spread + POSITIONS * 2 * CHANNELS), weights, 0, 0};

    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, part = warp / (WARPS / SPLIT);
    Rows rows;
    find_rows(rows, warp % (WARPS / SPLIT) * TILES, lane);
    prepare(memory, stream);

    const int groups = (count + POSITIONS - 1) / POSITIONS;
    for (int group = blockIdx.x; group < groups; group += gridDim.x) {
        const int begin = group * POSITIONS;
        const int here = count - begin < POSITIONS ? count - begin : POSITIONS;
        barrier();
        stream.restart();
        copy_in(outer, gradient + place(0, count, begin), here);
        Bits open;
        load_bits(open, gates + place_of_bits(2 * BLOCKS, groups, group));
        wait_copies();
        barrier();
        UNROLL for (int tile = 0; tile < TILES; tile++)
            UNROLL for (int pair = 0; pair < PAIRS; pair++) {
                char* own = outer + rows.named[tile] + part * OUTPUTS * 2 + pair * 32;
                u32 matrix[4];
                load_matrix(matrix, own);
                UNROLL for (int i = 0; i < 4; i++)
                    matrix[i] = open_gates(matrix[i], two_bits(open, bit(tile, pair * 2 + i / 2, i % 2)));
                store_matrix(own, matrix);
            }
        for (int layer = 2 * BLOCKS - 1; layer >= 0; layer--) {
            // The gradient of this layer's results lies in `from`; that of what it read will be in `to`.
            const bool second = layer % 2;
            const char* from = second ? outer : inner;
            char* to = second ? inner : outer;
            load_bits(open, gates + place_of_bits(layer, groups, group));
            Bits most = {};
            if (POOL && second) load_bits(most, peaks + place_of_bits(layer / 2, groups, group));
            barrier();
            add_up(from, sum_of, totals + ((size_t)(layer + 1) * count + begin) * CHANNELS, here);
            if (POOL && second) {
                barrier();
                const float* matrix = pool_weights + (size_t)(layer / 2) * 2 * CHANNELS * CHANNELS;
                const float* of_ties = pools + (((size_t)(layer / 2) * count + begin) * 3 + 1) * CHANNELS;
                multiply_vectors<CHANNELS, 2 * CHANNELS>(sum_of, matrix, stream.space(), [&](int position, int pooled, float sum) {
                    float share = 1.0f / SQUARES;
                    if (pooled >= CHANNELS) share = position < here ? of_ties[position * 3 * CHANNELS + pooled] : 0;
                    spread[position * 2 * CHANNELS + pooled] = sum * share;
                });
            }
            Sums sums;
            UNROLL for (int n = 0; n < PAIRS * 2; n++) {
                const int channel = part * OUTPUTS + n * 8 + lane % 4 * 2;
                UNROLL for (int tile = 0; tile < TILES; tile++)
                    UNROLL for (int i = 0; i < 4; i++) {
                        sums[tile][n][i] = 0;
                        if (!POOL || !second) continue;
                        const float* mean = spread + rows.owner[tile][i / 2] * 2 * CHANNELS + channel + i % 2;
                        bool peak = two_bits(most, bit(tile, n, i / 2)) >> i % 2 & 1;
                        sums[tile][n][i] = mean[0] + (peak ? mean[CHANNELS] : 0);
                    }
            }
            if (!second) add_board(sums, rows, outer, part);
            convolve<true>(sums, rows, from, stream, part, lane, deltas + place(layer + 1, count, begin), here);
            UNROLL for (int tile = 0; tile < TILES; tile++)
                UNROLL for (int pair = 0; pair < PAIRS; pair++) {
                    u32 matrix[4];
                    UNROLL for (int i = 0; i < 4; i++) {
                        const float* two = sums[tile][pair * 2 + i / 2] + i % 2 * 2;
                        u32 bits = two_bits(open, bit(tile, pair * 2 + i / 2, i % 2));
                        matrix[i] = open_gates(round_pair(two[0], two[1]), bits);
                    }
                    store_matrix(to + rows.named[tile] + part * OUTPUTS * 2 + pair * 32, matrix);
                }
        }
        barrier();
        add_up(outer, sum_of, totals + (size_t)begin * CHANNELS, here);
        copy_out(deltas + place(0, count, begin), outer, here);
    }
}
