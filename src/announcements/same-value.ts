/** Whether two JSON values are equal, whatever the order of an object's fields. */
export function isSameValue(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const names = Object.keys(a);
  if (names.length !== Object.keys(b).length) return false;
  const [one, other] = [a, b] as [Record<string, unknown>, Record<string, unknown>];
  return names.every((name) => Object.hasOwn(b, name) && isSameValue(one[name], other[name]));
}
