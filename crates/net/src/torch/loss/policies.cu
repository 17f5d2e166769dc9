// The policies of positions, from the logits of their legal actions: each has a warp.

#define WARPS 4

__device__ inline float sum_of_lanes(float number) {
    for (int other = 16; other; other /= 2) number += __shfl_xor_sync(~0u, number, other);
    return number;
}

// logits          [all legal actions], one position after the other
// offsets         [count + 1]: where those of each position begin, and where the last ones end
// log_probs       [all legal actions]: the logarithm of the softmax
// probs           [all legal actions]
// entropies       [count]
extern "C" __global__ void __launch_bounds__(WARPS * 32)
policies(const float* logits, const int* offsets, float* log_probs, float* probs, float* entropies, int count) {
    const int position = blockIdx.x * WARPS + threadIdx.x / 32, lane = threadIdx.x % 32;
    if (position >= count) return;
    const int begin = offsets[position], end = offsets[position + 1];
    float largest = logits[begin], sum = 0, entropy = 0;
    for (int i = begin + lane; i < end; i += 32) largest = fmaxf(largest, logits[i]);
    for (int other = 16; other; other /= 2) largest = fmaxf(largest, __shfl_xor_sync(~0u, largest, other));
    for (int i = begin + lane; i < end; i += 32) sum += expf(logits[i] - largest);
    const float shift = logf(sum_of_lanes(sum));
    for (int i = begin + lane; i < end; i += 32) {
        // The large numbers first, as what is left is small.
        float log_prob = logits[i] - largest - shift, prob = expf(log_prob);
        log_probs[i] = log_prob;
        probs[i] = prob;
        entropy -= prob * log_prob;
    }
    entropy = sum_of_lanes(entropy);
    if (lane == 0) entropies[position] = entropy;
}
