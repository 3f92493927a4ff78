import type { Random } from '../random.ts';

type ByteMutation = (bytes: Buffer, random: Random, other: Buffer) => Buffer;

/** What parsers stumble over. */
const splinters = [
  ...[
    '\r',
    '\n',
    '\r\n',
    '\r\n\r\n',
    '\0',
    '\t',
    ' ',
    ':',
    '%',
    '"',
    '\x7f',
    '\x80',
    '\x9b',
    '\xff',
    '\u00c0\u00ae',
  ],
  ...['0\r\n\r\n', 'HTTP/1.1', '\x1b[31m', '\r\nHTTP/1.1 200 OK\r\n\r\n', '\r\n time level'],
];

const splice = (bytes: Buffer, from: number, to: number, middle: Buffer) =>
  Buffer.concat([bytes.subarray(0, from), middle, bytes.subarray(to)]);
const cut = (bytes: Buffer, random: Random): readonly [from: number, to: number] => {
  const from = random.below(bytes.length + 1);
  return [from, Math.min(bytes.length, from + 1 + random.below(random.pick([2, 8, 60])))];
};

/** Ways to spoil bytes, whatever they mean. */
export const byteMutations: readonly ByteMutation[] = [
  (bytes, random) => {
    const at = random.below(bytes.length + 1);
    return splice(bytes, at, at + 1, Buffer.from([(bytes[at] ?? 0) ^ (1 << random.below(8))]));
  },
  (bytes, random) => {
    const at = random.below(bytes.length + 1);
    return splice(bytes, at, at + 1, random.bytes(1));
  },
  (bytes, random) => splice(bytes, ...cut(bytes, random), Buffer.alloc(0)),
  (bytes, random) => {
    const [from, to] = cut(bytes, random);
    return splice(bytes, to, to, bytes.subarray(from, to));
  },
  (bytes, random) => {
    const at = random.below(bytes.length + 1);
    return splice(bytes, at, at, Buffer.from(random.pick(splinters), 'latin1'));
  },
  (bytes, random) => {
    const at = random.below(bytes.length + 1);
    return splice(bytes, at, at, random.bytes(1 + random.below(40)));
  },
  (bytes, random, other) =>
    Buffer.concat([
      bytes.subarray(0, random.below(bytes.length + 1)),
      other.subarray(random.below(other.length + 1)),
    ]),
  (bytes, random) => bytes.subarray(0, random.below(bytes.length + 1)),
];
