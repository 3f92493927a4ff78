// The unigrams of a trie language model of CMU Sphinx: every word of its vocabulary with the logarithm of its
// probability. Layout: a title, the order n, n counts, the kind of quantiser, its tables, one record a word
// (probability, back-off, pointer), the longer n-grams, and all words, each ended by a zero byte.

const title = 'Trie Language Model';
const quantiserTables = 3 * 65_536 * 4;
const recordBytes = 12;

/** All words of the model, most frequent first, as the model spells them: in lower case. */
export function wordsByFrequency(model: Buffer): string[] {
  if (model.toString('latin1', 0, title.length) !== title) throw new Error('This is no trie language model.');
  const order = model[title.length] as number;
  const count = model.readUInt32LE(title.length + 1);
  const first = title.length + 1 + 4 * order + 4 + quantiserTables;
  const words = model
    .toString('latin1')
    .split('\0')
    .slice(-1 - count, -1);
  const probabilities = words.map((_, index) => model.readFloatLE(first + recordBytes * index));
  return words
    .map((word, index) => ({ word, probability: probabilities[index] as number }))
    .sort((a, b) => b.probability - a.probability || (a.word < b.word ? -1 : 1))
    .map(({ word }) => word);
}
