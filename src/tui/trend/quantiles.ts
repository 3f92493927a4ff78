/** The value below which the share `p` (0 to 1) of `values` lies; between two values it interpolates. */
export function toQuantile(values: readonly number[], p: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (sorted.length - 1) * p;
  const low = sorted[Math.floor(at)] ?? Number.NaN;
  const high = sorted[Math.ceil(at)] ?? Number.NaN;
  return low + (high - low) * (at - Math.floor(at));
}

export function toMedian(values: readonly number[]): number {
  return toQuantile(values, 0.5);
}
