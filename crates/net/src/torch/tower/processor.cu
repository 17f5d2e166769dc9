// What the kernels ask of the processor.
typedef unsigned int u32;
typedef unsigned short u16;
#define UNROLL _Pragma("unroll")
#define SHARED(name) extern __shared__ __align__(16) char name[]

__device__ inline u32 address(const void* p) { return (u32)__cvta_generic_to_shared(p); }
// Brings 16 bytes to shared memory without waiting for them.
__device__ inline void copy_async(char* to, const char* from) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(address(to)), "l"(from));
}
__device__ inline void commit() { asm volatile("cp.async.commit_group;"); }
__device__ inline void wait_copies() { asm volatile("cp.async.wait_group 0;" ::: "memory"); }
__device__ inline void barrier() { __syncthreads(); }
__device__ inline void copy16(char* to, const char* from) { *(uint4*)to = *(const uint4*)from; }
__device__ inline void zero16(char* to) { *(uint4*)to = make_uint4(0, 0, 0, 0); }
__device__ inline void load16(u32* to, const char* from) {
    uint4 v = *(const uint4*)from; to[0] = v.x; to[1] = v.y; to[2] = v.z; to[3] = v.w;
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
// Adds the product of 16 × 16 by 16 × 8 numbers to `c`.
__device__ inline void multiply(float* c, const u32* a, const u32* b) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}
__device__ inline u32 round_pair(float a, float b) {
    u32 r; asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(r) : "f"(b), "f"(a)); return r;
}
