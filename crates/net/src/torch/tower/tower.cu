// The residual blocks of a network in one kernel: the features of a few positions stay in shared
// memory from the first convolution to the last, and only weights stream past. One kernel goes
// forward, another takes gradients back.
//
// Defined before this text: CHANNELS, ROWS, COLUMNS, BLOCKS, POOL (0 or 1); and how the work is
// shared out: POSITIONS (of a thread block), TILES (of 16 squares, of a warp), SPLIT (parts of the
// channels among warps), CHUNK (channels whose weights are brought at once), WARPS.

constexpr int SQUARES = ROWS * COLUMNS;
// Squares lie in rows with one empty column after each and one empty row before and after each
// position, so that a neighbour off the board is a zero that nobody has to look for.
constexpr int WIDTH = COLUMNS + 1;
constexpr int CELLS = (POSITIONS * (ROWS + 1) + 1) * WIDTH + 1;
// 16 bytes more than the channels: eight rows of a matrix then lie in different banks.
constexpr int PITCH = CHANNELS * 2 + 16;
constexpr int PLANE = CELLS * PITCH;
constexpr int OUTPUTS = CHANNELS / SPLIT;
constexpr int PAIRS = OUTPUTS / 16;
constexpr int STAGE = CHUNK * CHANNELS * 2;
// Chunks of a layer, and of all layers.
constexpr int CHUNKS = 9 * CHANNELS / CHUNK;
constexpr int ALL_CHUNKS = 2 * BLOCKS * CHUNKS;
constexpr int THREADS = WARPS * 32;

typedef float Sums[TILES][PAIRS * 2][4];

__device__ inline float low(u32 pair) { return __uint_as_float(pair << 16); }
__device__ inline float high(u32 pair) { return __uint_as_float(pair & 0xffff0000u); }

// Where a square of a position lies among the cells.
__device__ inline int cell(int position, int square) {
    return (position * (ROWS + 1) + 1 + square / COLUMNS) * WIDTH + square % COLUMNS + 1;
}

// The rows of a matrix that a lane deals with: a row is a square of some position.
struct Rows {
    int source[TILES];     // of each tile, the cell whose channels the lane names to `load_matrix`
    int target[TILES][2];  // the cells of the two rows that it gets results for, or -1
    int row[TILES][2];     // these rows
    int owner[TILES][2];   // and their positions
};

__device__ inline void find_rows(Rows& rows, int first_tile, int lane) {
    const int last = POSITIONS * SQUARES - 1;
    UNROLL for (int tile = 0; tile < TILES; tile++) {
        int named = (first_tile + tile) * 16 + lane % 16;
        named = named < last ? named : last;
        rows.source[tile] = cell(named / SQUARES, named % SQUARES) * PITCH + lane / 16 * 16;
        UNROLL for (int half = 0; half < 2; half++) {
            int row = (first_tile + tile) * 16 + half * 8 + lane / 4;
            bool exists = row <= last;
            row = exists ? row : last;
            rows.row[tile][half] = row;
            rows.owner[tile][half] = row / SQUARES;
            rows.target[tile][half] = exists ? cell(row / SQUARES, row % SQUARES) * PITCH : -1;
        }
    }
}

// Brings the next CHUNK rows of weights, in the order of the registers of `multiply`.
__device__ inline void fetch(char* stage, const char* weights) {
    for (int at = threadIdx.x * 16; at < STAGE; at += THREADS * 16) copy_async(stage + at, weights + at);
    commit();
}

// A convolution of the board at `from` with the weights of one layer, which begin with number
// `chunk` of all chunks. The first of them is under way.
__device__ inline void convolve(Sums& sums, const Rows& rows, const char* from, char* stages,
                                const char* weights, int chunk, int part, int lane) {
    UNROLL for (int tile = 0; tile < TILES; tile++)
        UNROLL for (int n = 0; n < PAIRS * 2; n++)
            UNROLL for (int i = 0; i < 4; i++) sums[tile][n][i] = 0;
    for (int step = 0; step < CHUNKS; step++, chunk++) {
        wait_copies();
        barrier();
        if (chunk + 1 < ALL_CHUNKS)
            fetch(stages + (chunk + 1) % 2 * STAGE, weights + (size_t)(chunk + 1) * STAGE);
        const int tap = step / (CHANNELS / CHUNK), depth = step % (CHANNELS / CHUNK);
        const char* near = from + ((tap / 3 - 1) * WIDTH + tap % 3 - 1) * PITCH + depth * CHUNK * 2;
        const char* stage = stages + chunk % 2 * STAGE + part * PAIRS * 512 + lane * 16;
        UNROLL for (int k = 0; k < CHUNK / 16; k++) {
            u32 squares[TILES][4];
            UNROLL for (int tile = 0; tile < TILES; tile++)
                load_matrix(squares[tile], near + rows.source[tile] + k * 32);
            UNROLL for (int pair = 0; pair < PAIRS; pair++) {
                u32 columns[4];
                load16(columns, stage + (k * (CHANNELS / 16) + pair) * 512);
                UNROLL for (int tile = 0; tile < TILES; tile++) {
                    multiply(sums[tile][pair * 2], squares[tile], columns);
                    multiply(sums[tile][pair * 2 + 1], squares[tile], columns + 2);
                }
            }
        }
    }
}

// Copies a board out: `to` has the squares of its positions one after the other.
__device__ inline void copy_out(char* to, const char* board, int here) {
    for (int at = threadIdx.x; at < here * SQUARES * (CHANNELS / 8); at += THREADS) {
        int row = at / (CHANNELS / 8), eighth = at % (CHANNELS / 8);
        copy16(to + (size_t)at * 16, board + cell(row / SQUARES, row % SQUARES) * PITCH + eighth * 16);
    }
}

// The place of the first number of position `begin` in layer `layer` of `layers` tensors.
__device__ inline size_t place(int layer, int count, int begin) {
    return ((size_t)layer * count + begin) * SQUARES * CHANNELS;
}

// What the blocks make of `input`.
//
// input, output   [count, squares, channels]
// kept            [2 · blocks, count, squares, channels]: what each convolution gave after its
//                 ReLU, the last of which is the output; or null, if nobody takes gradients
// kept_pools      [blocks, count, 3, channels]: means, maxima, and the reciprocal of how many
//                 squares have the maximum
extern "C" __global__ void __launch_bounds__(THREADS, 1)
tower(const u16* input, u16* output, const char* weights, const float* biases,
      const float* pool_weights, u16* kept, float* kept_pools, int count) {
    SHARED(memory);
    char* features = memory;
    char* inner = features + PLANE;
    char* stages = inner + PLANE;
    float* pooled = (float*)(stages + 2 * STAGE);
    float* added = pooled + POSITIONS * 2 * CHANNELS;

    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, part = warp % SPLIT;
    Rows rows;
    find_rows(rows, warp / SPLIT * TILES, lane);
    for (int at = threadIdx.x * 16; at < 2 * PLANE; at += THREADS * 16) zero16(memory + at);

    for (int group = blockIdx.x; group * POSITIONS < count; group += gridDim.x) {
        const int begin = group * POSITIONS;
        const int here = count - begin < POSITIONS ? count - begin : POSITIONS;
        barrier();
        fetch(stages, weights);
        for (int at = threadIdx.x; at < here * SQUARES * (CHANNELS / 8); at += THREADS) {
            int row = at / (CHANNELS / 8), eighth = at % (CHANNELS / 8);
            copy16(features + cell(row / SQUARES, row % SQUARES) * PITCH + eighth * 16,
                   (const char*)(input + place(0, count, begin)) + (size_t)at * 16);
        }
        for (int layer = 0; layer < 2 * BLOCKS; layer++) {
            const bool second = layer % 2;
            Sums sums;
            convolve(sums, rows, second ? inner : features, stages, weights, layer * CHUNKS, part, lane);
            const float* bias = biases + layer * CHANNELS;
            UNROLL for (int tile = 0; tile < TILES; tile++)
                UNROLL for (int half = 0; half < 2; half++) {
                    if (rows.target[tile][half] < 0) continue;
                    UNROLL for (int n = 0; n < PAIRS * 2; n++) {
                        int channel = part * OUTPUTS + n * 8 + lane % 4 * 2;
                        float a = sums[tile][n][half * 2] + bias[channel];
                        float b = sums[tile][n][half * 2 + 1] + bias[channel + 1];
                        u32* own = (u32*)(features + rows.target[tile][half] + channel * 2);
                        if (second) {
                            if (POOL) {
                                const float* more = added + rows.owner[tile][half] * CHANNELS + channel;
                                a += more[0];
                                b += more[1];
                            }
                            a += low(*own);
                            b += high(*own);
                        }
                        u32 both = round_pair(a > 0 ? a : 0, b > 0 ? b : 0);
                        if (second) *own = both;
                        else *(u32*)(inner + rows.target[tile][half] + channel * 2) = both;
                    }
                }
            if (kept) {
                barrier();
                copy_out((char*)(kept + place(layer, count, begin)), second ? features : inner, here);
            }
            if (POOL && !second) {
                barrier();
                for (int at = threadIdx.x; at < POSITIONS * CHANNELS / 2; at += THREADS) {
                    int position = at / (CHANNELS / 2), channel = at % (CHANNELS / 2) * 2;
                    float mean[2] = {0, 0}, most[2] = {0, 0}, ties[2] = {0, 0};
                    for (int square = 0; square < SQUARES; square++) {
                        u32 pair = *(u32*)(inner + cell(position, square) * PITCH + channel * 2);
                        float both[2] = {low(pair), high(pair)};
                        UNROLL for (int i = 0; i < 2; i++) {
                            mean[i] += both[i];
                            ties[i] = both[i] > most[i] ? 1 : ties[i] + (both[i] == most[i]);
                            most[i] = both[i] > most[i] ? both[i] : most[i];
                        }
                    }
                    float* to = pooled + position * 2 * CHANNELS + channel;
                    UNROLL for (int i = 0; i < 2; i++) {
                        to[i] = mean[i] / SQUARES;
                        to[CHANNELS + i] = most[i];
                        if (kept && position < here) {
                            float* keep = kept_pools
                                + ((size_t)(layer / 2) * count + begin + position) * 3 * CHANNELS;
                            keep[channel + i] = to[i];
                            keep[CHANNELS + channel + i] = most[i];
                            keep[2 * CHANNELS + channel + i] = 1 / ties[i];
                        }
                    }
                }
                barrier();
                const float* matrix = pool_weights + layer / 2 * 2 * CHANNELS * CHANNELS;
                for (int at = threadIdx.x; at < POSITIONS * CHANNELS; at += THREADS) {
                    int position = at / CHANNELS, channel = at % CHANNELS;
                    float sum = 0;
                    for (int k = 0; k < 2 * CHANNELS; k++)
                        sum += pooled[position * 2 * CHANNELS + k] * matrix[k * CHANNELS + channel];
                    added[at] = sum;
                }
            }
        }
        barrier();
        if (output) copy_out((char*)(output + place(0, count, begin)), features, here);
    }
}

// For each position and channel, the sum over the squares of a board: to shared and to global memory.
__device__ inline void add_up(const char* board, float* sums, float* to, int here) {
    for (int at = threadIdx.x; at < POSITIONS * CHANNELS / 2; at += THREADS) {
        int position = at / (CHANNELS / 2), channel = at % (CHANNELS / 2) * 2;
        float a = 0, b = 0;
        for (int square = 0; square < SQUARES; square++) {
            u32 pair = *(u32*)(board + cell(position, square) * PITCH + channel * 2);
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

// The gradient of what comes before each ReLU, from the gradient of the output.
//
// gradient        [count, squares, channels]
// input           [count, squares, channels]: what the tower was given, after a ReLU
// kept, kept_pools: what the tower kept
// weights         of the convolutions backwards, the last first
// pool_weights    [blocks, channels, 2 · channels]
// deltas          [2 · blocks + 1, count, squares, channels]: before the tower, then before the ReLU
//                 of each convolution
// totals          [2 · blocks, count, channels]: of each convolution, sums over the squares
extern "C" __global__ void __launch_bounds__(THREADS, 1)
tower_back(const u16* gradient, const u16* input, const u16* kept, const float* kept_pools,
           const char* weights, const float* pool_weights, u16* deltas, float* totals, int count) {
    SHARED(memory);
    char* outer = memory;
    char* inner = outer + PLANE;
    char* stages = inner + PLANE;
    float* sum_of = (float*)(stages + 2 * STAGE);
    float* spread = sum_of + POSITIONS * CHANNELS;

    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, part = warp % SPLIT;
    Rows rows;
    find_rows(rows, warp / SPLIT * TILES, lane);
    for (int at = threadIdx.x * 16; at < 2 * PLANE; at += THREADS * 16) zero16(memory + at);

    for (int group = blockIdx.x; group * POSITIONS < count; group += gridDim.x) {
        const int begin = group * POSITIONS;
        const int here = count - begin < POSITIONS ? count - begin : POSITIONS;
        barrier();
        fetch(stages, weights);
        for (int at = threadIdx.x; at < here * SQUARES * (CHANNELS / 2); at += THREADS) {
            int row = at / (CHANNELS / 2), half = at % (CHANNELS / 2);
            u32 pair = ((const u32*)(gradient + place(0, count, begin)))[at];
            u32 gave = ((const u32*)(kept + place(2 * BLOCKS - 1, count, begin)))[at];
            *(u32*)(outer + cell(row / SQUARES, row % SQUARES) * PITCH + half * 4) =
                (gave & 0x7fffu ? pair & 0xffffu : 0) | (gave & 0x7fff0000u ? pair & 0xffff0000u : 0);
        }
        for (int layer = 2 * BLOCKS - 1; layer >= 0; layer--) {
            // The gradient of this layer's results lies in `from`; that of what it read will be in `to`.
            const bool second = layer % 2;
            char* from = second ? outer : inner;
            char* to = second ? inner : outer;
            barrier();
            copy_out((char*)(deltas + place(layer + 1, count, begin)), from, here);
            add_up(from, sum_of, totals + ((size_t)layer * count + begin) * CHANNELS, here);
            const float* pools = kept_pools + ((size_t)(layer / 2) * count + begin) * 3 * CHANNELS;
            if (POOL && second) {
                barrier();
                const float* matrix = pool_weights + (size_t)(layer / 2) * 2 * CHANNELS * CHANNELS;
                for (int at = threadIdx.x; at < here * 2 * CHANNELS; at += THREADS) {
                    int position = at / (2 * CHANNELS), pooled = at % (2 * CHANNELS);
                    float sum = 0;
                    for (int k = 0; k < CHANNELS; k++)
                        sum += sum_of[position * CHANNELS + k] * matrix[k * 2 * CHANNELS + pooled];
                    spread[at] = pooled < CHANNELS
                        ? sum / SQUARES
                        : sum * pools[position * 3 * CHANNELS + CHANNELS + pooled];
                }
            }
            Sums sums;
            convolve(sums, rows, from, stages, weights, (2 * BLOCKS - 1 - layer) * CHUNKS, part, lane);
            // What the layer read, after the ReLU of the layer before.
            const u16* read = layer ? kept + place(layer - 1, count, begin) : input + place(0, count, begin);
            UNROLL for (int tile = 0; tile < TILES; tile++)
                UNROLL for (int half = 0; half < 2; half++) {
                    int position = rows.owner[tile][half];
                    if (rows.target[tile][half] < 0 || position >= here) continue;
                    UNROLL for (int n = 0; n < PAIRS * 2; n++) {
                        int channel = part * OUTPUTS + n * 8 + lane % 4 * 2;
                        float a = sums[tile][n][half * 2], b = sums[tile][n][half * 2 + 1];
                        u32 gave = *(const u32*)(read + (size_t)rows.row[tile][half] * CHANNELS + channel);
                        u32* own = (u32*)(to + rows.target[tile][half] + channel * 2);
                        if (second) {
                            if (POOL) {
                                const float* means = spread + position * 2 * CHANNELS + channel;
                                const float* most = pools + position * 3 * CHANNELS + CHANNELS + channel;
                                a += means[0] + (low(gave) == most[0] ? means[CHANNELS] : 0);
                                b += means[1] + (high(gave) == most[1] ? means[CHANNELS + 1] : 0);
                            }
                        } else {
                            a += low(*own);
                            b += high(*own);
                        }
                        *own = round_pair(low(gave) > 0 ? a : 0, high(gave) > 0 ? b : 0);
                    }
                }
        }
        barrier();
        copy_out((char*)(deltas + place(0, count, begin)), outer, here);
    }
}
