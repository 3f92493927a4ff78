/** Fields as the rules name them, at the beginning of a sentence, and the options that an editor typed. The first that fits counts. */
const spellings: readonly (readonly [field: RegExp, option: string])[] = [
  [/^audience\.sites\b/, '--site'],
  [/^audience\.paths\b/, '--path'],
  [/^audience has\b/i, '--site and --path have'],
  [/^translations\.([\w-]+): (?=the link label\b)/, '--translated-link-label $1: '],
  [/^translations\.([\w-]+): (?=the link\b)/, '--translated-link $1: '],
  [
    /^translations\.([\w-]+) has no message; a translation needs one/,
    '--translation $1=… is missing, its message',
  ],
  [/^translations\.([\w-]+)/, '--translation $1'],
  [/^translations has\b/i, '--translation has'],
  [/^translations:/, '--translation:'],
  [/^(at|expires):/, '--$1:'],
];

/** A sentence of the rules, or several, for somebody who typed options: `--path: "docs" is not a path`. */
export function toOptionWords(sentences: string): string {
  return sentences
    .split(/(?<=; )(?=(?:audience|translations|at:|expires:))/)
    .map(toOption)
    .join('');
}

function toOption(sentence: string): string {
  const found = spellings.find(([field]) => field.test(sentence));
  return found === undefined ? sentence : sentence.replace(found[0], found[1]);
}
