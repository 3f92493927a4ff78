import { inflateSync } from 'node:zlib';
import type { Quote } from './declaration.ts';
import { plainText } from './plain-text.ts';

/** Verses of each chapter of the book of Proverbs. */
const chapters = [
  33, 22, 35, 27, 23, 35, 27, 36, 18, 32, 31, 28, 25, 35, 33, 33, 28, 24, 29, 30, 31, 29, 35, 34, 28, 28, 27,
  28, 27, 33, 31,
];
const firstEntry = 17_052;
const firstWords = 'The proverbs of Solomon';

/** Passages of several verses that read as one: chapter, first and last verse. */
const passages = [
  [3, 13, 18],
  [4, 20, 27],
  [6, 6, 11],
  [23, 4, 5],
  [24, 30, 34],
  [25, 11, 14],
  [27, 23, 27],
] as const;

/** Tables of a zText module of SWORD: blocks (offset, size, unpacked size), verses (block, offset, size). */
export interface TextModule {
  readonly blocks: Buffer;
  readonly verses: Buffer;
  readonly text: Buffer;
}

/**
 * Sayings of chapters 10 to 29, each a sentence of one verse, and a few longer passages. Left out is what
 * depends on a neighbour, names God, or speaks of beating, bloodshed, drink, or wives with contempt.
 */
export function readProverbs(module: TextModule): Quote[] {
  const verse = openVerses(module);
  if (!verse(1, 1).startsWith(firstWords)) throw new Error('Proverbs do not begin where they should.');
  const sayings = chapters.flatMap((count, index) =>
    index + 1 < 10 || index + 1 > 29
      ? []
      : Array.from({ length: count }, (_, position) => quoteOf(verse, index + 1, position + 1, position + 1)),
  );
  const longer = passages.map(([chapter, first, last]) => quoteOf(verse, chapter, first, last));
  return [...sayings.filter(isSound), ...longer];
}

type Verse = (chapter: number, number: number) => string;

function openVerses({ blocks, verses, text }: TextModule): Verse {
  const unpacked = new Map<number, Buffer>();
  const block = (index: number) => {
    const known = unpacked.get(index);
    if (known !== undefined) return known;
    const [offset, size] = [blocks.readUInt32LE(index * 12), blocks.readUInt32LE(index * 12 + 4)];
    const bytes = inflateSync(text.subarray(offset, offset + size));
    unpacked.set(index, bytes);
    return bytes;
  };
  return (chapter, number) => {
    // Every chapter has an entry before its verses.
    const before = chapters.slice(0, chapter - 1).reduce((sum, count) => sum + count + 1, 0);
    const at = (firstEntry + before + number - 1) * 10;
    const [index, offset, size] = [
      verses.readUInt32LE(at),
      verses.readUInt32LE(at + 4),
      verses.readUInt16LE(at + 8),
    ];
    return withoutMarkup(block(index).toString('utf8', offset, offset + size));
  };
}

function withoutMarkup(osis: string): string {
  return plainText(osis.replace(/<(note|title)[\s\S]*?<\/\1>/g, '').replace(/<[^>]+>/g, ' '));
}

function quoteOf(verse: Verse, chapter: number, first: number, last: number): Quote {
  const texts = Array.from({ length: last - first + 1 }, (_, index) => verse(chapter, first + index));
  const numbers = first === last ? `${first}` : `${first}-${last}`;
  return { text: texts.join(' '), from: `Proverbs ${chapter}:${numbers}` };
}

function isSound({ text }: Quote): boolean {
  const unfit =
    /Yahweh|Sheol|Abaddon|\brod\b|beat|blood|kill|prostitute|adulter|harlot|whip|gore|abomination|vomit|servant girl|violence|stupid|wine|drunk|\bwife|snout|slave|his death|shall die/i;
  const depends =
    /^(?:He|She|They|It|His|Her|Then|But|Lest|For|So|Also|That|Therefore|And)\b|proverbs of Solomon/;
  return /^[A-Z][^"]{30,}\.$/.test(text) && !unfit.test(text) && !depends.test(text);
}
