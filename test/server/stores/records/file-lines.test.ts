import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  changeText,
  type Entry,
  entriesIn,
  type FoundEntry,
  lineText,
  sealText,
  stateText,
} from '../../../../src/server/stores/records/file-lines.ts';
import type { RecordChange } from '../../../../src/server/stores/records/records.ts';

// Texts that look like the beginning of an entry, or contain what separates entries and lines.
const texts = fc
  .array(fc.constantFrom('a', 'é', '😀', ' ', '\n', '\r', '=', '"', '+1 ', '!12 ', '#345 ', '$6789 '))
  .map((parts) => parts.join(''));
const names = fc.constantFrom('inputs', 'é', 'two words', 'two\nlines', '');
const versions = fc
  .tuple(fc.constantFrom('q8Zt_-ab', '00000000'), fc.integer({ min: 1, max: 999 }))
  .map(([origin, count]) => `${origin}${count}`);
const times = fc.integer({ min: 0, max: 2 ** 48 });
const some = <T>(value: fc.Arbitrary<T>) =>
  fc.dictionary(names, value, { maxKeys: 2, noNullPrototype: true });

/** What is written, what is read, and the texts of its lines. */
interface Sample {
  readonly text: string;
  readonly entry: object;
  readonly lines: readonly string[];
}

const keystrokes = fc
  .record({ version: versions, if: versions, name: fc.constantFrom('inputs', 'é', ''), text: texts })
  .map(({ version, if: wanted, name, text }): Sample => {
    const change = { if: wanted, append: { [name]: text.replaceAll('\n', '') } };
    // Its time is not written: to its writer, the record had not expired.
    const entry = { kind: 'change', version, at: Number.NEGATIVE_INFINITY, change, lines: [] };
    return { text: changeText({ version, at: 1, change }), entry, lines: [] };
  });

const longChanges = fc
  .record({
    version: versions,
    at: times,
    change: fc.oneof(
      fc.record({ append: some(texts) }),
      fc.record({ if: fc.constant(''), append: some(texts) }),
      fc.record({ if: versions, append: fc.record({ inputs: texts, é: texts }) }),
      fc.record({ if: versions, append: fc.record({ 'two words': texts }) }),
      fc.record({ if: versions, append: fc.constant({}) }),
      fc.record(
        {
          if: fc.oneof(fc.constant(''), versions),
          put: some(texts),
          append: some(texts),
          add: some(fc.integer()),
          max: some(fc.integer()),
          remove: fc.array(names, { maxLength: 2 }),
          push: fc.array(fc.oneof(texts, fc.constantFrom('\n', '\r')), { maxLength: 3 }),
          trim: fc.nat(),
          ttl: fc.nat(),
          durable: fc.boolean(),
          forget: fc.constant(true as const),
        },
        { requiredKeys: ['trim'] },
      ),
    ) as fc.Arbitrary<RecordChange>,
  })
  .map(({ version, at, change }): Sample => {
    const { push: lines = [], durable: _, forget: __, ...rest } = change;
    const read = { ...rest, push: lines.map(() => '') };
    return {
      text: changeText({ version, at, change }),
      entry: { kind: 'change', version, at, change: read, lines: lines.map(() => expect.anything()) },
      lines,
    };
  });

const states = fc
  .record({
    version: versions,
    until: fc.oneof(times, fc.constant(Number.POSITIVE_INFINITY)),
    fields: some(texts).map((fields) => new Map(Object.entries(fields))),
    first: fc.nat(),
    last: fc.nat(),
  })
  .map((state): Sample => ({ text: stateText(state), entry: { kind: 'state', state }, lines: [] }));

const seals = fc
  .record({ version: versions, at: times, end: fc.constantFrom('continued' as const, 'expired' as const) })
  .map(
    ({ version, at, end }): Sample => ({
      text: sealText(version, at, end),
      entry: { kind: 'seal', version, at, end },
      lines: [],
    }),
  );

const samples = fc.oneof(keystrokes, longChanges, states, seals);

const entriesOf = (bytes: Buffer) => [...entriesIn(bytes)].map(({ entry }) => entry);
const bytesOf = (all: readonly Sample[]) => Buffer.from(all.map(({ text }) => text).join(''));
const isRead = (entry: FoundEntry['entry']): entry is Entry => typeof entry === 'object';

test('law: what was written is read again, each entry with its end and the texts of its lines', () => {
  fc.assert(
    fc.property(fc.array(samples, { maxLength: 5 }), (all) => {
      const bytes = bytesOf(all);
      const found = [...entriesIn(bytes)];
      expect(found.map(({ entry }) => entry)).toEqual(all.map(({ entry }) => entry));
      expect(found.map(({ end }) => end)).toEqual(all.map((_, at) => bytesOf(all.slice(0, at + 1)).length));
      for (const [at, { entry }] of found.entries()) {
        const places = isRead(entry) && entry.kind === 'change' ? entry.lines : [];
        expect(places.map((place) => lineText(bytes, place))).toEqual(all[at]?.lines);
      }
    }),
  );
});

test('a text that is written like an entry is part of the one that it is in', () => {
  fc.assert(
    fc.property(keystrokes, samples, versions, (key, { text }, version) => {
      const append = { inputs: text.replaceAll('\n', '') };
      const change = changeText({ version, at: 1, change: { if: version, append } });
      expect(entriesOf(Buffer.from(change + key.text))).toEqual([
        expect.objectContaining({ version }),
        key.entry,
      ]);
    }),
  );
});

test('a key takes one short line, without what it has in common with all keys', () => {
  fc.assert(
    fc.property(keystrokes, ({ text }) => {
      expect(text).toMatch(/^\+\d+ [^\n{]*\n$/);
    }),
  );
});

test('law: an entry that was cut at any byte does not count, and costs none before or after it', () => {
  fc.assert(
    fc.property(
      samples,
      samples,
      samples,
      fc.double({ min: 0, max: 1, noNaN: true }),
      (one, cut, next, share) => {
        const part = Buffer.from(cut.text).subarray(0, Math.floor((Buffer.byteLength(cut.text) - 1) * share));
        const begin = Buffer.concat([bytesOf([one]), part]);
        expect(entriesOf(begin)).toEqual([one.entry]);
        const found = [...entriesIn(Buffer.concat([begin, bytesOf([next])]))];
        expect(found.filter(({ entry }) => isRead(entry)).map(({ entry }) => entry)).toEqual([
          one.entry,
          next.entry,
        ]);
        const between = found.slice(1, -1);
        expect(new Set(between.map(({ entry }) => entry))).toEqual(new Set(part.length === 0 ? [] : ['cut']));
        expect(found.at(-2)?.end).toBe(begin.length);
      },
    ),
  );
});

test('law: damage to any byte is found, and costs only the entry that it is in', () => {
  fc.assert(
    fc.property(
      fc.array(samples, { minLength: 2, maxLength: 4 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      fc.integer({ min: 1, max: 255 }),
      (all, share, change) => {
        const bytes = bytesOf(all);
        const at = Math.floor((bytes.length - 2) * share);
        bytes[at] = (bytes[at] as number) ^ change;
        const ends = all.map((_, index) => bytesOf(all.slice(0, index + 1)).length);
        const lost = ends.findIndex((end) => at < end);
        const found = [...entriesIn(bytes)];
        expect(found.map(({ entry }) => entry).filter(isRead)).toEqual(
          all.filter((_, index) => index !== lost).map(({ entry }) => entry),
        );
        // Without its line end, it is as one that was cut.
        const isEnd = ends.includes(at + 1);
        expect(found.some(({ entry }) => entry === 'damaged')).toBe(!isEnd);
        expect(found.at(-1)?.end).toBe(bytes.length);
      },
    ),
  );
});

test('a line with the right checksum that is no entry is damage, too', () => {
  for (const text of ['? a b c d', '0 a 1 expired', '! {"version":', '# null', '! null', '+ a b', '+ a']) {
    const [kind = '', rest] = [text[0], text.slice(2)];
    const line = `${kind}${crc32(rest, kind.charCodeAt(0))} ${rest}\n`;
    expect(entriesOf(Buffer.from(line)), text).toEqual(['damaged']);
  }
  for (const line of ['\n', ' \n', '+ \n', '+\n', '0 \n'])
    expect(entriesOf(Buffer.from(line))).toEqual(['damaged']);
});
