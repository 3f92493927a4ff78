import { spoilBytes } from './http/mutations.ts';
import type { Random } from './random.ts';

const hostileValues: readonly unknown[] = [
  ...[null, true, -1, 0, 0.5, 1e21, 9_007_199_254_740_991, 8.64e15 + 1, 123_456_789_012_345],
  ...['', ' ', '\0', '\x1b[31m', '\u2028', '../../x', '2026-02-31T00:00:00Z', '__proto__', 'a'.repeat(5_000)],
  ...[[], {}, [[]], ['', 7], { a: { b: 1 } }],
];

/** Damages a file as disks, crashes, other programs and people do: bytes anywhere, a line, or one value of its JSON. */
export function damageText(text: string, random: Random): string {
  if (random.once(2)) return damageJsonLine(text, random);
  let bytes = Buffer.from(text);
  for (let left = 1 + random.below(3); left > 0; left -= 1) bytes = Buffer.from(spoilBytes(bytes, random));
  return bytes.toString('latin1');
}

/** One value somewhere in one of the lines, or in the document as a whole, becomes another. */
function damageJsonLine(text: string, random: Random): string {
  const whole = tryParse(text);
  if (whole !== undefined) return JSON.stringify(damageValue(whole, random), undefined, 2);
  const lines = text.split('\n');
  const full = [...lines.keys()].filter((at) => lines[at] !== '');
  if (full.length === 0) return text;
  const at = random.pick(full);
  const value = tryParse(lines[at] as string);
  if (value !== undefined) lines[at] = JSON.stringify(damageValue(value, random));
  return lines.join('\n');
}

/** The deeper a value, the more of them there are: every level is as likely to be hit as the next. */
function damageValue(value: unknown, random: Random): unknown {
  if (typeof value !== 'object' || value === null || random.once(8)) return random.pick(hostileValues);
  const copy = (Array.isArray(value) ? [...value] : { ...value }) as Record<string, unknown>;
  const key = random.pick([...Object.keys(copy), '0']);
  const number = copy[key];
  switch (random.below(8)) {
    case 0:
      delete copy[key];
      break;
    case 1:
      copy[random.pick(['0', 'extra'])] = copy[key];
      break;
    default:
      copy[key] =
        typeof number === 'number' && random.once(2)
          ? number + random.pick([1, -1, 30, 1000])
          : damageValue(copy[key], random);
  }
  return copy;
}

function tryParse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
