// What the kernels ask of the processor. Some of it is faster since Hopper (900).
//
// Defined before: TOGETHER, whether four warps multiply together, which Hopper alone can do (90a).

typedef unsigned int u32;
typedef unsigned short u16;
typedef unsigned long long u64;
#define UNROLL _Pragma("unroll")
#define UNROLL_SOME _Pragma("unroll 16")
#define SHARED(name) extern __shared__ __align__(128) char name[]

__device__ inline u32 address(const void* p) { return (u32)__cvta_generic_to_shared(p); }
__device__ inline void barrier() { __syncthreads(); }
// Brings 16 bytes to shared memory without waiting for them.
__device__ inline void copy_async(char* to, const char* from) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(address(to)), "l"(from));
}
__device__ inline void wait_copies() { asm volatile("cp.async.wait_all;" ::: "memory"); }
__device__ inline void copy16(char* to, const char* from) { *(uint4*)to = *(const uint4*)from; }
__device__ inline void zero16(char* to) { *(uint4*)to = make_uint4(0, 0, 0, 0); }
__device__ inline void load16(u32* to, const char* from) {
    uint4 v = *(const uint4*)from; to[0] = v.x; to[1] = v.y; to[2] = v.z; to[3] = v.w;
}
__device__ inline void store16(char* to, const u32* from) {
    *(uint4*)to = make_uint4(from[0], from[1], from[2], from[3]);
}
// Two numbers that no kernel writes to while this one runs.
__device__ inline void load_constants(float* to, const float* from) {
    float2 v = __ldg((const float2*)from); to[0] = v.x; to[1] = v.y;
}

// One delivery at a time, of many bytes to shared memory, for which all threads can wait.
__device__ inline void expect_deliveries(u64* delivery) {
#if __CUDA_ARCH__ >= 900
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.init.shared.b64 [%0], 1;" :: "r"(address(delivery)));
        asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
    }
#endif
}
// All threads call it, after a barrier: nobody reads any more what lies there.
__device__ inline void deliver(u64* delivery, char* to, const char* from, int bytes) {
#if __CUDA_ARCH__ >= 900
    if (threadIdx.x == 0) {
        asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" :: "r"(address(delivery)), "r"(bytes) : "memory");
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];"
            :: "r"(address(to)), "l"(from), "r"(bytes), "r"(address(delivery)) : "memory");
    }
#else
    for (int at = threadIdx.x * 16; at < bytes; at += blockDim.x * 16) copy_async(to + at, from + at);
#endif
}
// Waits for the delivery with this number, from 0. Before Hopper others see it after a barrier.
__device__ inline void await(u64* delivery, int number) {
#if __CUDA_ARCH__ >= 900
    asm volatile("{\n.reg .pred done;\nagain:\n"
        "mbarrier.try_wait.parity.shared.b64 done, [%0], %1;\n@!done bra again;\n}"
        :: "r"(address(delivery)), "r"(number & 1) : "memory");
#else
    wait_copies();
#endif
}
// What this thread has written or read there comes before a delivery that follows the next barrier.
__device__ inline void make_way() {
#if __CUDA_ARCH__ >= 900
    asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
}

// Four matrices of 8 × 8 numbers in bf16: lane n names row n, and gets two numbers of each.
__device__ inline void load_matrix(u32* m, const char* from) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
        : "=r"(m[0]), "=r"(m[1]), "=r"(m[2]), "=r"(m[3]) : "r"(address(from)));
}
// The same with every 8 × 8 numbers turned over.
__device__ inline void load_across(u32* m, const char* from) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
        : "=r"(m[0]), "=r"(m[1]), "=r"(m[2]), "=r"(m[3]) : "r"(address(from)));
}
// The way back of `load_matrix`.
__device__ inline void store_matrix(char* to, const u32* m) {
#if __CUDA_ARCH__ >= 900
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%4], {%0, %1, %2, %3};"
        :: "r"(m[0]), "r"(m[1]), "r"(m[2]), "r"(m[3]), "r"(address(to)) : "memory");
#else
    const int lane = threadIdx.x % 32;
    UNROLL for (int i = 0; i < 4; i++) {
        u64 row = __shfl_sync(0xffffffffu, (u64)to, i * 8 + lane / 4);
        *(u32*)((char*)row + lane % 4 * 4) = m[i];
    }
#endif
}
// Adds the product of 16 × 16 by 16 × 8 numbers to `c`.
__device__ inline void multiply(float* c, const u32* a, const u32* b) {
    asm("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

#if TOGETHER
// Four warps multiply together, and go on before they have the products. Until these are awaited
// nobody may touch their numbers.
__device__ inline void begin_products() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ inline void end_products() { asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory"); }
// Waits for all products but the last so many that were begun.
template <int LAST> __device__ inline void await_products() {
    asm volatile("wgmma.wait_group.sync.aligned %0;" :: "n"(LAST) : "memory");
}
// Sums that have been awaited are read after that.
__device__ inline void settle(float& sum) { asm volatile("" : "+f"(sum) :: "memory"); }
// Adds the product of each warp's 16 × 16 by 16 × 64 numbers in shared memory to `c`. They lie there in
// 8 × 8 numbers, one after the other, with so many bytes from one to the next below and beside it;
// of these either the columns lie in one piece, or, ACROSS, the rows.
template <bool ACROSS>
__device__ inline void multiply_together(float (*c)[4], const u32* a, const char* b, int below, int beside) {
    u64 place = (address(b) & 0x3ffff) >> 4 | (u64)(below >> 4) << 16 | (u64)(beside >> 4) << 32;
    asm volatile("{\n.reg .pred adds;\nsetp.eq.u32 adds, 0, 0;\n"
        "wgmma.mma_async.sync.aligned.m64n64k16.f32.bf16.bf16 "
        "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, "
        "%16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, %28, %29, %30, %31}, "
        "{%32, %33, %34, %35}, %36, adds, 1, 1, %37;\n}"
        : "+f"(c[0][0]), "+f"(c[0][1]), "+f"(c[0][2]), "+f"(c[0][3]), "+f"(c[1][0]), "+f"(c[1][1]), "+f"(c[1][2]), "+f"(c[1][3]),
          "+f"(c[2][0]), "+f"(c[2][1]), "+f"(c[2][2]), "+f"(c[2][3]), "+f"(c[3][0]), "+f"(c[3][1]), "+f"(c[3][2]), "+f"(c[3][3]),
          "+f"(c[4][0]), "+f"(c[4][1]), "+f"(c[4][2]), "+f"(c[4][3]), "+f"(c[5][0]), "+f"(c[5][1]), "+f"(c[5][2]), "+f"(c[5][3]),
          "+f"(c[6][0]), "+f"(c[6][1]), "+f"(c[6][2]), "+f"(c[6][3]), "+f"(c[7][0]), "+f"(c[7][1]), "+f"(c[7][2]), "+f"(c[7][3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(place), "n"(ACROSS ? 1 : 0));
}
#else
template <int LAST> __device__ inline void await_products() {}
__device__ inline void settle(float&) {}
#endif

__device__ inline u32 round_pair(float a, float b) {
    u32 r; asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(b), "f"(a)); return r;
}
// The same of what is above 0, else 0.
__device__ inline u32 round_positive(float a, float b) {
    u32 r; asm("cvt.rn.relu.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(b), "f"(a)); return r;
}
// The larger of each of two pairs in bf16.
__device__ inline u32 larger(u32 a, u32 b) {
    u32 r; asm("max.bf16x2 %0, %1, %2;" : "=r"(r) : "r"(a), "r"(b)); return r;
}
