/** The parts of a JSON object, or a problem: not an object, or an unknown part. `name` is for the problem. */
export function readParts<N extends string>(
  given: unknown,
  name: string,
  known: readonly N[],
): { readonly parts: { readonly [K in N]?: unknown } } | { readonly problem: string } {
  if (!isJsonObject(given)) return { problem: `${name} is not an object { … }` };
  const unknownPart = Object.keys(given).find((key) => !known.some((candidate) => candidate === key));
  if (unknownPart === undefined) return { parts: given as { readonly [K in N]?: unknown } };
  const shown = JSON.stringify(unknownPart.slice(0, 40));
  return { problem: `${name} has no part ${shown}; it has ${known.join(', ')}` };
}

export function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function byteLengthOf(value: unknown): number {
  return new TextEncoder().encode(JSON.stringify(value)).length;
}

/**
 * JSON Merge Patch (RFC 7396): objects are merged part by part, null removes (and here false too, which is
 * what `--no-…` options give), and anything else replaces. Never writes to a prototype.
 */
export function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch)) return patch;
  const parts = new Map(Object.entries(isJsonObject(target) ? target : {}));
  for (const [name, part] of Object.entries(patch)) {
    if (part === null || part === false) parts.delete(name);
    else if (part !== undefined) parts.set(name, mergePatch(parts.get(name), part));
  }
  return Object.fromEntries(parts);
}

/** The patch between two values: `mergePatch(before, patchOf(before, after))` is `after`. Without nulls. */
export function patchOf(before: unknown, after: unknown): unknown {
  if (!isJsonObject(before) || !isJsonObject(after)) return after;
  const target = new Map(Object.entries(before));
  const gone = [...target.keys()].filter((name) => !Object.hasOwn(after, name)).map((name) => [name, null]);
  const parts = Object.entries(after).map(([name, part]) => [name, patchOf(target.get(name), part)]);
  return Object.fromEntries([...gone, ...parts]);
}

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
