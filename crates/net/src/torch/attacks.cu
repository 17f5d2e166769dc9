// The planes that show what pieces attack, from boards of bytes.
//
// Defined before this text: ROWS, COLUMNS, BYTES (of an observation, whose first are the board),
// PIECES (the bytes from 1 that stand for some), DIRECTIONS (of a piece, at most), PLANES.

#define SQUARES (ROWS * COLUMNS)
#define THREADS 128

// moves           [PIECES, DIRECTIONS, 3]: rows down, columns to the right, whether it slides on; a
//                 direction that leads nowhere is none
// planes          [PLANES, 4]: the first and the last piece that counts; how many of them have to
//                 attack a square; or instead of that the piece that is attacked, for all squares alike
// output          [count, SQUARES, PLANES] in bf16
extern "C" __global__ void attack_planes(const unsigned char* observations, const int* moves,
                                         const int* planes, unsigned short* output, int count) {
    __shared__ int board[SQUARES];
    __shared__ int attacks[PIECES * SQUARES];
    __shared__ int attacked[PLANES];
    for (int position = blockIdx.x; position < count; position += gridDim.x) {
        for (int i = threadIdx.x; i < PIECES * SQUARES; i += THREADS) attacks[i] = 0;
        for (int i = threadIdx.x; i < PLANES; i += THREADS) attacked[i] = 0;
        for (int i = threadIdx.x; i < SQUARES; i += THREADS)
            board[i] = observations[(size_t)position * BYTES + i];
        __syncthreads();
        for (int i = threadIdx.x; i < SQUARES * DIRECTIONS; i += THREADS) {
            int square = i / DIRECTIONS, piece = board[square];
            if (!piece) continue;
            const int* move = moves + ((piece - 1) * DIRECTIONS + i % DIRECTIONS) * 3;
            if (!move[0] && !move[1]) continue;
            int row = square / COLUMNS, column = square % COLUMNS;
            do {
                row += move[0];
                column += move[1];
                if (row < 0 || row >= ROWS || column < 0 || column >= COLUMNS) break;
                atomicAdd(&attacks[(piece - 1) * SQUARES + row * COLUMNS + column], 1);
            } while (move[2] && !board[row * COLUMNS + column]);
        }
        __syncthreads();
        for (int i = threadIdx.x; i < SQUARES * PLANES; i += THREADS) {
            const int* plane = planes + i % PLANES * 4;
            int square = i / PLANES, attackers = 0;
            for (int piece = plane[0]; piece <= plane[1]; piece++)
                attackers += attacks[(piece - 1) * SQUARES + square];
            if (!plane[3])
                output[((size_t)position * SQUARES + square) * PLANES + i % PLANES] =
                    attackers >= plane[2] ? 0x3f80 : 0;
            else if (board[square] == plane[3] && attackers)
                attacked[i % PLANES] = 1;
        }
        __syncthreads();
        for (int i = threadIdx.x; i < SQUARES * PLANES; i += THREADS)
            if (planes[i % PLANES * 4 + 3])
                output[((size_t)position * SQUARES + i / PLANES) * PLANES + i % PLANES] =
                    attacked[i % PLANES] ? 0x3f80 : 0;
        __syncthreads();
    }
}
