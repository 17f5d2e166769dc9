// All planes of packed observations.
//
// Defined before this text: ROWS, COLUMNS, BYTES (of an observation, whose first are the board),
// PLANES (with those that fill up, a multiple of 8), HALF (whether numbers are bf16 or f32), and the
// sizes of the tables: MARKS, LEVELS, TARGETS, PIECES, DIRECTIONS, CROWDS, CROWDS_OF_PIECE, MOST.
//
// The numbers of a plane are 0 and 1, or all are the same. So a square has a bit for each plane, and
// an observation one number for each; only what is written at last has all of them.

#define SQUARES (ROWS * COLUMNS)
#define THREADS 128
#define WORDS ((PLANES + 31) / 32)
// How many numbers are written at once, in 16 bytes.
#define CHUNK (HALF ? 8 : 4)
#define CHUNKS (PLANES / CHUNK)
#define LEVEL (2 + 256)
#define PIECE (1 + 3 * DIRECTIONS + CROWDS_OF_PIECE)
#define COUNTS ((CROWDS + 3) / 4)

#if HALF
typedef unsigned short Number;
#define ONE 0x3f80u
#else
typedef unsigned Number;
#define ONE 0x3f800000u
#endif

// The numbers in four bytes, of which those are 1 whose bits are set.
__device__ inline unsigned ones(unsigned set, int place) {
#if HALF
    set >>= 2 * place;
    return ((set & 1) | (set & 2) << 15) * ONE;
#else
    return (set >> place & 1) * ONE;
#endif
}

// tables          one after the other:
//   shown         [256, WORDS]: the planes in which a byte of the board is 1 on its square, a bit each
//   marks         [MARKS, 2]: a byte's place, and the plane in which it marks a square
//   levels        [LEVELS, LEVEL]: a byte's place, its plane, and the number that each value means
//   targets       [TARGETS, 4]: the first and the last piece that counts, the piece that they may
//                 attack, and the plane that shows it
//   pieces        [PIECES, PIECE]: how many directions a piece has; of each rows down, columns to the
//                 right, whether it slides on; the crowds to which the piece belongs, then -1
//   crowds        [CROWDS, MOST]: the planes that show that one piece of a crowd attacks a square,
//                 two, three …, or -1
// output          [count, SQUARES, PLANES]
extern "C" __global__ void __launch_bounds__(THREADS)
make_planes(const unsigned char* observations, const int* tables, uint4* output, int count) {
    const int* shown = tables;
    const int* marks = shown + 256 * WORDS;
    const int* levels = marks + 2 * MARKS;
    __shared__ unsigned char bytes[BYTES];
    __shared__ unsigned bits[SQUARES * WORDS];
    __shared__ uint4 constants[CHUNKS];
#if PIECES
    const int* targets = levels + LEVEL * LEVELS;
    const int* pieces = targets + 4 * TARGETS;
    const int* crowds = pieces + PIECE * PIECES;
    // How many of each crowd attack a square, four crowds in a word.
    __shared__ unsigned counts[SQUARES * COUNTS];
    // The ways in which pieces attack: a square, and the number of a direction of its piece.
    __shared__ unsigned short ways[SQUARES * DIRECTIONS];
    __shared__ int way_count;
#endif
    for (int position = blockIdx.x; position < count; position += gridDim.x) {
        for (int i = threadIdx.x; i < BYTES; i += THREADS)
            bytes[i] = observations[(size_t)position * BYTES + i];
        for (int i = threadIdx.x; i < CHUNKS * 4; i += THREADS) ((unsigned*)constants)[i] = 0;
#if PIECES
        for (int i = threadIdx.x; i < SQUARES * COUNTS; i += THREADS) counts[i] = 0;
        if (threadIdx.x == 0) way_count = 0;
#endif
        __syncthreads();

        for (int square = threadIdx.x; square < SQUARES; square += THREADS) {
            int piece = bytes[square];
            for (int word = 0; word < WORDS; word++)
                bits[square * WORDS + word] = shown[piece * WORDS + word];
#if PIECES
            if (piece == 0 || piece > PIECES) continue;
            int directions = pieces[(piece - 1) * PIECE];
            int first = atomicAdd(&way_count, directions);
            for (int i = 0; i < directions; i++) ways[first + i] = square * DIRECTIONS + i;
#endif
        }
        // From the last thread on: the first have the squares.
        for (int i = THREADS - 1 - threadIdx.x; i < LEVELS; i += THREADS) {
            const int* level = levels + i * LEVEL;
            ((Number*)constants)[level[1]] = (Number)level[2 + bytes[level[0]]];
        }
        __syncthreads();

        for (int i = threadIdx.x; i < MARKS; i += THREADS) {
            int square = bytes[marks[2 * i]] - 1, plane = marks[2 * i + 1];
            if (square >= 0 && square < SQUARES)
                atomicOr(&bits[square * WORDS + plane / 32], 1u << plane % 32);
        }
#if PIECES
        for (int i = threadIdx.x; i < way_count; i += THREADS) {
            int square = ways[i] / DIRECTIONS, number = bytes[square];
            const int* piece = pieces + (number - 1) * PIECE;
            const int* direction = piece + 1 + ways[i] % DIRECTIONS * 3;
            const int* own_crowds = piece + 1 + 3 * DIRECTIONS;
            int row = square / COLUMNS, column = square % COLUMNS, target;
            do {
                row += direction[0];
                column += direction[1];
                if (row < 0 || row >= ROWS || column < 0 || column >= COLUMNS) break;
                target = row * COLUMNS + column;
                for (int j = 0; j < CROWDS_OF_PIECE; j++) {
                    int crowd = own_crowds[j], shift = crowd % 4 * 8;
                    if (crowd < 0) break;
                    unsigned before = atomicAdd(&counts[target * COUNTS + crowd / 4], 1u << shift);
                    before = before >> shift & 255;
                    int plane = before < MOST ? crowds[crowd * MOST + before] : -1;
                    if (plane >= 0) atomicOr(&bits[target * WORDS + plane / 32], 1u << plane % 32);
                }
                for (int j = 0; j < TARGETS; j++) {
                    const int* attacked = targets + 4 * j;
                    if (bytes[target] == attacked[2] && number >= attacked[0] && number <= attacked[1])
                        ((Number*)constants)[attacked[3]] = (Number)ONE;
                }
            } while (direction[2] && !bytes[target]);
        }
#endif
        __syncthreads();

        for (int i = threadIdx.x; i < SQUARES * CHUNKS; i += THREADS) {
            int square = i / CHUNKS, plane = i % CHUNKS * CHUNK;
            unsigned set = bits[square * WORDS + plane / 32] >> plane % 32;
            uint4 numbers = constants[i % CHUNKS];
            numbers.x |= ones(set, 0);
            numbers.y |= ones(set, 1);
            numbers.z |= ones(set, 2);
            numbers.w |= ones(set, 3);
            output[(size_t)position * SQUARES * CHUNKS + i] = numbers;
        }
        __syncthreads();
    }
}
