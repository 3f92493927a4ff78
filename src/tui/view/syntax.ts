import { wordText } from '../../typing/rules/word.ts';
import type { Style } from '../look/theme-colours.ts';
import { isCode } from '../round/round-setup.ts';
import type { RoundView } from '../round/round-view.ts';

/** The style of each character of a word; undefined for plain ones. */
export type WordStyles = readonly (Style | undefined)[];

const keywords = new Set(
  `abstract and as async await begin bool break case catch char class const continue declare def default defer del delete do done
  double elif else elsif end ensure enum esac except export extends extern false fi final finally float fn for from func function go
  if impl implements import in include instanceof int interface is lambda let local long loop match mod module mut namespace new nil
  None not null of or override package pass private protected pub public raise readonly rescue return select self short static struct
  super switch template then this throw throws trait true True False try type typedef typeof undefined union unless unsafe unsigned
  until use using val var void when where while with yield`.split(/\s+/),
);

const hashes = new Set(
  'python ruby perl r julia nim elixir bash terraform nix graphql powershell make'.split(' '),
);
const dashes = new Set(['sql', 'lua', 'haskell', 'elm']);

const known = new WeakMap<RoundView['words'], readonly WordStyles[]>();

/** The styles of all words of a round; empty if it is not code. They are the same for the whole round. */
export function syntaxOf({ words, roundSetup }: RoundView): readonly WordStyles[] {
  const { mode, lineEnds } = roundSetup;
  if (!isCode(mode)) return [];
  const before = known.get(words);
  if (before !== undefined) return before;
  const language = mode.type === 'code' ? mode.language : mode.type === 'text' ? (mode.code ?? '') : '';
  const styles: WordStyles[] = [];
  let from = 0;
  for (const end of [...lineEnds, words.length - 1]) {
    const line = words.slice(from, end + 1).map(wordText);
    const ofLine = lineStyles(line.join(' '), language);
    let at = 0;
    for (const word of line) {
      styles.push(ofLine.slice(at, at + word.length));
      at += word.length + 1;
    }
    from = end + 1;
  }
  known.set(words, styles);
  return styles;
}

/** Good enough to guide the eye: a text in quotes that ends in another line is not found. */
function lineStyles(line: string, language: string): (Style | undefined)[] {
  const comment = hashes.has(language)
    ? '#.*'
    : dashes.has(language)
      ? '--.*'
      : '//.*|/\\*.*?(?:\\*/|$)|^\\*.*|<!--.*';
  const tokens = new RegExp(
    `(${comment})|("(?:\\\\.|[^"\\\\])*"|'(?:\\\\.|[^'\\\\])*'|\`[^\`]*\`)|(\\b\\d[\\w.]*)|([A-Za-z_]\\w*)`,
    'g',
  );
  const styles: (Style | undefined)[] = new Array(line.length).fill(undefined);
  for (const { 0: text, 1: remark, 2: string, 3: number, index } of line.matchAll(tokens)) {
    const style = remark
      ? 'comment'
      : string
        ? 'string'
        : number
          ? 'number'
          : keywords.has(text)
            ? 'keyword'
            : undefined;
    if (style !== undefined) styles.fill(style, index, index + text.length);
  }
  return styles;
}

/** The characters of a word that is not typed yet, those of one style together. */
export function styledText(
  paint: (style: Style, text: string) => string,
  characters: readonly string[],
  styles: WordStyles,
): string {
  let text = '';
  for (let from = 0; from < characters.length; ) {
    let to = from + 1;
    while (to < characters.length && styles[to] === styles[from]) to += 1;
    const run = characters.slice(from, to).join('');
    const style = styles[from];
    text += style === undefined ? run : paint(style, run);
    from = to;
  }
  return text;
}
