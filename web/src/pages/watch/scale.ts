// From values to places on a chart.

export interface AxisScale {
  /** The place of a value, 0 to 1. */
  place(value: number): number;
  /** The value at a place. */
  value(place: number): number;
  ticks: number[];
}

/** About `count` round values between two. */
export function roundTicks(low: number, high: number, count: number): number[] {
  const span = high - low;
  if (!(span > 0)) return [low];
  const rough = span / Math.max(count, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 2.5, 5, 10].find((factor) => power * factor >= rough) ?? 10);
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, n) => (first + n) * step);
}

/** Round seconds: whole minutes, hours or days apart. */
function timeTicks(low: number, high: number, count: number): number[] {
  const steps = [1, 5, 15, 30, 60, 300, 600, 1800, 3600, 7200, 21600, 43200, 86400, 172800, 604800];
  const step = steps.find((step) => (high - low) / step <= count);
  if (!step) return roundTicks(low, high, count);
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, n) => (first + n) * step);
}

export function linear(low: number, high: number, count: number, time = false): AxisScale {
  const span = high - low || 1;
  return {
    place: (value) => (value - low) / span,
    value: (place) => low + place * span,
    ticks: time ? timeTicks(low, high, count) : roundTicks(low, high, count),
  };
}

/** Even in the logarithm. The axis begins at 1: a run has no zeroth move worth a place. */
export function logarithmic(low: number, high: number): AxisScale {
  const [begin, end] = [Math.log10(Math.max(low, 1)), Math.log10(Math.max(high, 10))];
  const span = end - begin || 1;
  const powers = Array.from({ length: Math.floor(end) - Math.ceil(begin) + 1 }, (_, n) => 10 ** (Math.ceil(begin) + n));
  return {
    place: (value) => (Math.log10(Math.max(value, 1)) - begin) / span,
    value: (place) => 10 ** (begin + place * span),
    // Within a decade there may be no power of ten.
    ticks: powers.length > 1 ? powers : roundTicks(10 ** begin, 10 ** end, 4),
  };
}

/** The index of the value nearest to `x` in ascending values. */
export function nearest(values: readonly number[], x: number): number {
  let [low, high] = [0, values.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((values[middle] ?? 0) < x) low = middle;
    else high = middle;
  }
  return x - (values[low] ?? 0) <= (values[high] ?? 0) - x ? low : high;
}
