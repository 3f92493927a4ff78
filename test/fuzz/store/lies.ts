import type { Random } from '../random.ts';
import { type Reply, toBytes } from './resp-reply.ts';

const integers = ['0', '1', '-1', '2', '-2', '7', '4294967296', '9007199254740993', '-9223372036854775808'];
const errors = [
  'ERR something went wrong',
  'WRONGTYPE Operation against a key holding the wrong kind of value',
  'OOM command not allowed when used memory > maxmemory',
  'READONLY You can not write against a read only replica.',
  'LOADING Redis is loading the dataset in memory',
  'NOSCRIPT No matching script.',
  'MOVED 1 127.0.0.1:1',
  'BUSY Redis is busy running a script',
  'NOAUTH Authentication required.',
  '',
];
const texts = [
  '',
  '0',
  '-1',
  'null',
  '[]',
  '{}',
  '{"',
  '"',
  'NaN',
  '\u0000',
  '\uFFFD',
  '__proto__',
  'x'.repeat(5_000),
];

/** Another reply in the place of the true one, as bytes. One in twenty is no reply at all, which ends the connection. */
export function lie(truth: Reply, random: Random): Buffer {
  return random.once(20) ? noReply(truth, random) : toBytes(otherReply(truth, random));
}

function otherReply(truth: Reply, random: Random): Reply {
  if (truth.kind === '*' && truth.items !== null && truth.items.length > 0 && !random.once(3)) {
    return { kind: '*', items: otherItems(truth.items, random) };
  }
  if (truth.kind === '$' && truth.bytes !== null && !random.once(3)) {
    return { kind: '$', bytes: otherBytes(truth.bytes, random) };
  }
  return random.pick<() => Reply>([
    () => ({ kind: ':', text: random.pick(integers) }),
    () => ({ kind: '-', text: random.pick(errors) }),
    () => ({ kind: '+', text: random.pick(['OK', 'PONG', 'QUEUED', '']) }),
    () => ({ kind: '$', bytes: null }),
    () => ({ kind: '$', bytes: Buffer.from(random.pick(texts)) }),
    () => ({ kind: '*', items: null }),
    () => ({ kind: '*', items: [] }),
    () => ({ kind: '*', items: [truth, truth] }),
  ])();
}

function otherItems(items: readonly Reply[], random: Random): readonly Reply[] {
  const at = random.below(items.length);
  const item = items[at] as Reply;
  return random.pick<() => readonly Reply[]>([
    () => items.toSpliced(at, 1),
    () => items.toSpliced(at, 0, item),
    () => items.slice(0, at),
    () => items.toReversed(),
    () => items.with(at, otherReply(item, random)),
    () => items.with(at, otherReply(item, random)),
    () => items.with(at, otherReply(item, random)),
  ])();
}

/** Near the truth: a text of the right form whose content is wrong goes further than rubbish. */
function otherBytes(bytes: Buffer, random: Random): Buffer {
  const at = random.below(bytes.length + 1);
  return random.pick<() => Buffer>([
    () => bytes.subarray(0, at),
    () => bytes.subarray(at),
    () => Buffer.concat([bytes.subarray(0, at), random.bytes(1 + random.below(4)), bytes.subarray(at)]),
    () => Buffer.concat([bytes, bytes]),
    () => Buffer.from(random.pick(texts)),
    () => Buffer.from(bytes.toString('latin1').replace(/\d+/, random.pick(integers)), 'latin1'),
    () =>
      Buffer.from(
        bytes.toString('latin1').replace(/"[^"]*"/, random.pick(['null', '[]', '{}', '1', '""'])),
        'latin1',
      ),
  ])();
}

/** Bytes that are not one reply: rubbish, two replies, half of one or none, or a length that never comes. */
function noReply(truth: Reply, random: Random): Buffer {
  const bytes = toBytes(truth);
  return random.pick<() => Buffer>([
    () => random.bytes(1 + random.below(40)),
    () => bytes.subarray(0, random.below(bytes.length)),
    () => Buffer.concat([bytes, bytes]),
    () => Buffer.concat([bytes, Buffer.from('$-1\r\n')]),
    () => Buffer.from('$1000000\r\nshort\r\n'),
    () => Buffer.from('*1000\r\n:1\r\n'),
    () => Buffer.from('*999999999999\r\n'),
    () => Buffer.from('$-7\r\n'),
  ])();
}
