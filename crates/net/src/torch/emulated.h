// Runs kernels on a CPU, each of their threads in one of the CPU's.

#include <barrier>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <memory>
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
static std::unique_ptr<std::barrier<>> of_block, of_warp[32];
static float of_lanes[32][32];

static void __syncthreads() { of_block->arrive_and_wait(); }
static float __shfl_xor_sync(unsigned, float number, int other) {
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    of_lanes[warp][lane] = number;
    of_warp[warp]->arrive_and_wait();
    number = of_lanes[warp][lane ^ other];
    of_warp[warp]->arrive_and_wait();
    return number;
}
template <typename T> static T atomicAdd(T* to, T number) { return __atomic_fetch_add(to, number, __ATOMIC_RELAXED); }
template <typename T> static T atomicOr(T* to, T number) { return __atomic_fetch_or(to, number, __ATOMIC_RELAXED); }

static void launch(int threads, int blocks, std::function<void()> kernel) {
    gridDim.x = blocks;
    for (blockIdx.x = 0; blockIdx.x < blocks; blockIdx.x++) {
        of_block = std::make_unique<std::barrier<>>(threads);
        for (int warp = 0; warp < threads / 32; warp++) of_warp[warp] = std::make_unique<std::barrier<>>(32);
        std::vector<std::thread> running;
        for (int i = 0; i < threads; i++)
            running.emplace_back([&, i] {
                threadIdx.x = i;
                kernel();
            });
        for (auto& thread : running) thread.join();
    }
}

template <typename T> static std::vector<T> read(const char* path) {
    std::vector<T> numbers;
    FILE* file = fopen(path, "rb");
    T number;
    while (file && fread(&number, sizeof number, 1, file)) numbers.push_back(number);
    return numbers;
}

template <typename T> static void write(const std::vector<T>& numbers) {
    fwrite(numbers.data(), sizeof(T), numbers.size(), stdout);
}
