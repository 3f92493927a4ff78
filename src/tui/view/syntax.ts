import { wordText } from '../../typing/rules/word.ts';
import type { Style } from '../look/look.ts';
import { isCode } from '../round/round-setup.ts';
import type { RoundView } from '../round/round-view.ts';
import { marksOf } from './source-languages.ts';

/** The style of each character of a word; undefined for plain ones. */
type WordStyles = readonly (Style | undefined)[];

const keywords =
  `abstract and as async await begin bool break case catch char class const continue declare def default defer delete del done do
  double elif elsif else end ensure enum esac except export extends extern false final finally fi float fn for from function func go
  if implements impl import include instanceof interface int in is lambda let local long loop match module mod mut namespace new nil
  None not null of or override package pass private protected public pub raise readonly rescue return select self short static struct
  super switch template then this throws throw trait true True False try typedef typeof type undefined union unless unsafe unsigned
  until use using val var void when where while with yield`.split(/\s+/);

/** The tokens of a language, each named by its style. Strings of several lines are not found. */
function tokensOf(language: string): RegExp {
  const { line, open, close = '' } = marksOf(language);
  const literal = (text: string) => text.replace(/\W/g, '\\$&');
  const comments = [
    ...(line === undefined ? [] : [`${literal(line)}.*`]),
    ...(open === undefined ? [] : [`${literal(open)}.*?(?:${literal(close)}|$)`]),
    ...(open === '/*' ? [String.raw`^\*.*`] : []), // goes on from the line before
  ].join('|');
  const string = ['"', "'"].map((quote) => String.raw`${quote}(?:\\.|[^${quote}\\])*${quote}`).join('|');
  const names = String.raw`\b(?:${keywords.join('|')})\b`;
  return new RegExp(
    String.raw`(?<comment>${comments})|(?<string>${string}|\x60[^\x60]*\x60)|(?<number>\b\d[\w.]*)|(?<keyword>${names})`,
    'g',
  );
}

const known = new WeakMap<RoundView['words'], readonly WordStyles[]>();

/** The styles of all words of a round; empty if it is not code. They are the same for the whole round. */
export function syntaxOf({ words, roundSetup }: RoundView): readonly WordStyles[] {
  const { mode, lineEnds } = roundSetup;
  if (!isCode(mode)) return [];
  const before = known.get(words);
  if (before !== undefined) return before;
  const tokens = tokensOf(
    mode.type === 'code' ? mode.language : mode.type === 'text' ? (mode.code ?? '') : '',
  );
  const styles: WordStyles[] = [];
  for (const [line, end] of [...lineEnds, words.length - 1].entries()) {
    const ofLine = words.slice(line === 0 ? 0 : (lineEnds[line - 1] ?? 0) + 1, end + 1).map(wordText);
    const stylesOfLine = lineStyles(ofLine.join(' '), tokens);
    let at = 0;
    for (const { length } of ofLine) {
      styles.push(stylesOfLine.slice(at, at + length));
      at += length + 1;
    }
  }
  known.set(words, styles);
  return styles;
}

function lineStyles(line: string, tokens: RegExp): (Style | undefined)[] {
  const styles: (Style | undefined)[] = new Array(line.length).fill(undefined);
  for (const { 0: text, index, groups = {} } of line.matchAll(tokens)) {
    const style = (['comment', 'string', 'number', 'keyword'] as const).find((name) => groups[name]);
    styles.fill(style, index, index + text.length);
  }
  return styles;
}
