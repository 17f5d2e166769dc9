// Gradients of the weights of the residual blocks. Follows tower.cu, whose names it uses.

// Gradients of the weights of all convolutions. A thread block has one of them, 64 × 64 of its
// channels and a part of the positions; its sums stay in registers until all of these are through.
constexpr int SIDE = 64;
constexpr int SIDES = CHANNELS / SIDE;
constexpr int AT_ONCE = 3;
constexpr int SIDE_PITCH = SIDE * 2 + 16;
constexpr int STEPS = (AT_ONCE * SQUARES + 15) / 16;
constexpr int SIDE_CELLS = (AT_ONCE * (ROWS + 1) + 1) * WIDTH + 1;
constexpr int READ_BYTES = SIDE_CELLS * SIDE_PITCH;
constexpr int BUFFER = READ_BYTES + STEPS * 16 * SIDE_PITCH;
constexpr int GATHERERS = 12 * 32;

// Brings 64 channels of some positions: what the layer read, and the gradient of what it gave.
__device__ inline void fetch_sides(char* buffer, const u16* read, const u16* delta, int begin, int here) {
    for (int at = threadIdx.x; at < AT_ONCE * SQUARES * (SIDE / 8); at += GATHERERS) {
        int row = at / (SIDE / 8), eighth = at % (SIDE / 8);
        char* to = buffer + READ_BYTES + row * SIDE_PITCH + eighth * 16;
        if (row >= here * SQUARES) {
            zero16(to);
            continue;
        }
        size_t from = ((size_t)begin * SQUARES + row) * CHANNELS + eighth * 8;
        copy_async(to, (const char*)(delta + from));
        copy_async(buffer + cell(row / SQUARES, row % SQUARES) * SIDE_PITCH + eighth * 16,
                   (const char*)(read + from));
    }
    commit();
}

// sums            [parts, 2 · blocks, 9, channels read, channels given], of as many parts as there are
//                 blocks of threads for each 64 × 64 channels of each layer
extern "C" __global__ void __launch_bounds__(GATHERERS, 1)
tower_weights(const u16* input, const u16* kept, const u16* deltas, float* sums_of_parts, int count) {
    SHARED(memory);
    int* cells = (int*)(memory + 2 * BUFFER);
    const int parts = gridDim.x / (2 * BLOCKS * SIDES * SIDES);
    const int tile = blockIdx.x % (2 * BLOCKS * SIDES * SIDES), part = blockIdx.x / (2 * BLOCKS * SIDES * SIDES);
    const int layer = tile / (SIDES * SIDES);
    const int first_read = tile % (SIDES * SIDES) / SIDES * SIDE, first_given = tile % SIDES * SIDE;
    const u16* read = (layer ? kept + place(layer - 1, count, 0) : input) + first_read;
    const u16* delta = deltas + place(layer + 1, count, 0) + first_given;

    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const int kernel_row = warp / 4, half_read = warp / 2 % 2 * 32, half_given = warp % 2 * 32;
    for (int at = threadIdx.x * 16; at < 2 * BUFFER; at += GATHERERS * 16) zero16(memory + at);
    for (int row = threadIdx.x; row < STEPS * 16; row += GATHERERS) {
        int known = row < AT_ONCE * SQUARES ? row : 0;
        cells[row] = cell(known / SQUARES, known % SQUARES) * SIDE_PITCH;
    }
    barrier();

    float sums[3][2][4][4];
    UNROLL for (int tap = 0; tap < 3; tap++)
        UNROLL for (int m = 0; m < 2; m++)
            UNROLL for (int n = 0; n < 4; n++)
                UNROLL for (int i = 0; i < 4; i++) sums[tap][m][n][i] = 0;

    const int groups = (count + AT_ONCE - 1) / AT_ONCE;
    int buffer = 0;
    if (part < groups) {
        int begin = part * AT_ONCE;
        fetch_sides(memory, read, delta, begin, count - begin < AT_ONCE ? count - begin : AT_ONCE);
    }
    for (int group = part; group < groups; group += parts, buffer ^= 1) {
        wait_copies();
        barrier();
        if (group + parts < groups) {
            int begin = (group + parts) * AT_ONCE;
            fetch_sides(memory + (buffer ^ 1) * BUFFER, read, delta, begin,
                        count - begin < AT_ONCE ? count - begin : AT_ONCE);
        }
        const char* here = memory + buffer * BUFFER;
        // The lane's rows and channels for `load_across`: of what was read, and of gradients.
        const char* given = here + READ_BYTES + lane % 16 * SIDE_PITCH + half_given * 2 + lane / 16 * 16;
        const char* was_read = here + (kernel_row - 1) * WIDTH * SIDE_PITCH + half_read * 2 + lane / 8 % 2 * 16;
        for (int step = 0; step < STEPS; step++) {
            u32 columns[2][4];
            UNROLL for (int n = 0; n < 2; n++) load_across(columns[n], given + step * 16 * SIDE_PITCH + n * 32);
            const char* squares = was_read + cells[step * 16 + lane % 8 + lane / 16 * 8];
            UNROLL for (int tap = 0; tap < 3; tap++)
                UNROLL for (int m = 0; m < 2; m++) {
                    u32 rows[4];
                    load_across(rows, squares + (tap - 1) * SIDE_PITCH + m * 32);
                    UNROLL for (int n = 0; n < 4; n++)
                        multiply(sums[tap][m][n], rows, columns[n / 2] + n % 2 * 2);
                }
        }
    }
    UNROLL for (int tap = 0; tap < 3; tap++) {
        size_t at = (((size_t)part * 2 * BLOCKS + layer) * 9 + kernel_row * 3 + tap) * CHANNELS;
        UNROLL for (int m = 0; m < 2; m++)
            UNROLL for (int n = 0; n < 4; n++)
                UNROLL for (int half = 0; half < 2; half++) {
                    int from = first_read + half_read + m * 16 + half * 8 + lane / 4;
                    int to = first_given + half_given + n * 8 + lane % 4 * 2;
                    float* sum = sums_of_parts + (at + from) * CHANNELS + to;
                    sum[0] = sums[tap][m][n][half * 2];
                    sum[1] = sums[tap][m][n][half * 2 + 1];
                }
    }
}
