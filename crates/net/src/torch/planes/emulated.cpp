// Runs the kernel on a CPU, each of its threads in one of the CPU's: reads observations and tables
// from two files and writes the planes to a third.
//
// Defined before: what planes.cu asks for, and COUNT, how many observations there are.

#include <barrier>
#include <cstdio>
#include <cstdlib>
#include <thread>
#include <vector>

#define __device__ static
#define __global__
#define __launch_bounds__(threads)
#define __shared__ static

struct Index {
    int x;
};
struct uint4 {
    unsigned x, y, z, w;
};
static thread_local Index threadIdx;
static Index blockIdx, gridDim;
static std::barrier<>* of_block;

static void __syncthreads() { of_block->arrive_and_wait(); }
template <typename T> static T atomicAdd(T* to, T number) { return __atomic_fetch_add(to, number, __ATOMIC_RELAXED); }
template <typename T> static T atomicOr(T* to, T number) { return __atomic_fetch_or(to, number, __ATOMIC_RELAXED); }

#include "planes.cu"

template <typename T> static std::vector<T> read(const char* path) {
    std::vector<T> numbers;
    FILE* file = fopen(path, "rb");
    T number;
    while (file && fread(&number, sizeof number, 1, file)) numbers.push_back(number);
    return numbers;
}

int main(int, char** paths) {
    auto observations = read<unsigned char>(paths[1]);
    auto tables = read<int>(paths[2]);
    // What nobody has written is no number.
    std::vector<uint4> planes(COUNT * SQUARES * CHUNKS, uint4{~0u, ~0u, ~0u, ~0u});
    // Two blocks of threads, each with several positions.
    gridDim.x = 2;
    for (blockIdx.x = 0; blockIdx.x < gridDim.x; blockIdx.x++) {
        std::barrier<> barrier(THREADS);
        of_block = &barrier;
        std::vector<std::thread> threads;
        for (int i = 0; i < THREADS; i++)
            threads.emplace_back([&, i] {
                threadIdx.x = i;
                make_planes(observations.data(), tables.data(), planes.data(), COUNT);
            });
        for (auto& thread : threads) thread.join();
    }
    FILE* file = fopen(paths[3], "wb");
    fwrite(planes.data(), sizeof(uint4), planes.size(), file);
    return fclose(file);
}
