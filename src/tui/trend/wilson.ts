/** The 95 % interval of a share, 0 to 1 (Wilson 1927): honest for small numbers and near the ends. */
export function toWilson(correct: number, total: number): { low: number; high: number } {
  const z = 1.96;
  const share = correct / total;
  const middle = (share + (z * z) / (2 * total)) / (1 + (z * z) / total);
  const half =
    (z / (1 + (z * z) / total)) * Math.sqrt((share * (1 - share)) / total + (z * z) / (4 * total * total));
  return { low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}
