/** The shares of both hands as whole percentages that add up to 100; of a history without letters both are 0. */
export function toWholeShares({ left, right }: { readonly left: number; readonly right: number }): {
  readonly left: number;
  readonly right: number;
} {
  const whole = Math.round(left);
  return { left: whole, right: right === 0 ? 0 : 100 - whole };
}
