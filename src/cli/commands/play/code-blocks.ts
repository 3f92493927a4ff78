import { type CommentMarks, marksOf, stringsOf } from '../../../tui/view/source-languages.ts';

/** A complete piece of a file, without the indentation that all its lines share. */
export interface CodeBlock {
  readonly text: string;
  /** Of the file, from 1. */
  readonly firstLine: number;
  readonly lastLine: number;
}

/** Typed lines of a block. */
const [minLines, maxLines] = [4, 20];
/** Longer lines and words were not written by hand. */
const maxLine = 200;
const maxWord = 100;

interface Line {
  readonly text: string;
  readonly number: number;
  /** Columns. */
  readonly indent: number;
}

export interface BlockOptions {
  /** Undefined for prose, whose paragraphs are its blocks. */
  readonly language: string | undefined;
  /** Whether comments are typed. */
  readonly comments: boolean;
}

/** Functions, classes and paragraphs of 4 to 20 lines, or whole parts of longer ones, in the file's order. */
export function codeBlocks(text: string, { language, comments }: BlockOptions): CodeBlock[] {
  const marks = language === undefined ? undefined : marksOf(language);
  const typed = language === undefined || comments ? text : withoutComments(text, language);
  const lines = typed.split(/\r\n?|\n/).map((line, at) => {
    const [blank = ''] = /^[ \t]*/.exec(line) ?? [];
    return { text: line.trimEnd(), number: at + 1, indent: [...blank].reduce(withTab, 0) };
  });
  return blocksAmong(lines, marks)
    .map(newBlock)
    .filter((block) => isFit(block, language !== undefined));
}

function withTab(columns: number, blank: string): number {
  return blank === '\t' ? (Math.floor(columns / 4) + 1) * 4 : columns + 1;
}

/** A statement with everything that is indented below it, and the line that closes it. */
type Unit = readonly Line[];

/** Units together, up to the blank line after the fourth line, as far as there is room. */
function blocksAmong(lines: readonly Line[], marks: CommentMarks | undefined): Unit[] {
  const blocks: Unit[] = [];
  let open: Unit = [];
  const close = () => {
    if (typedLines(open) >= minLines) blocks.push(open);
    open = [];
  };
  for (const unit of unitsOf(lines, marks)) {
    if (typedLines(open) + typedLines(unit) > maxLines) close();
    if (typedLines(unit) <= maxLines) open = [...open, ...unit];
    else if (marks !== undefined) blocks.push(...bodiesOf(unit).flatMap((body) => blocksAmong(body, marks)));
    if (unit.at(-1)?.text === '' && typedLines(open) >= minLines) close();
  }
  close();
  return blocks;
}

/** A line that begins like this belongs to the one before it: the end of a body, or another branch of it. */
const continues =
  /^\s*(?:[}\])]|<\/|\{$|(?:end|else|elif|elsif|elseif|except|finally|catch|rescue|ensure|then|do|fi|done|esac|in|where)\b)/;
/** A line that begins like this belongs to the one after it. */
const leads = /^\s*(?:@\w|#\[|\[\w+.*\]$|template\s*<)/;

function unitsOf(lines: readonly Line[], marks: CommentMarks | undefined): Unit[] {
  const units: Line[][] = [];
  const indent = Math.min(...lines.filter(({ text }) => text !== '').map((line) => line.indent));
  let isLed = false;
  for (const line of lines) {
    const unit = units.at(-1);
    const isOwn = line.text !== '' && line.indent <= indent;
    if (unit === undefined) {
      if (line.text !== '') units.push([line]);
    } else if (isOwn && !isLed && (marks === undefined || !continues.test(line.text))) units.push([line]);
    else unit.push(line);
    isLed = marks !== undefined && isLead(line.text, marks) && (isOwn || /^\s*\*/.test(line.text));
  }
  return units;
}

function isLead(text: string, { line, open }: CommentMarks): boolean {
  const start = text.trimStart();
  const isComment = (mark: string | undefined) => mark !== undefined && start.startsWith(mark);
  return leads.test(text) || isComment(line) || isComment(open) || /^\*/.test(start);
}

/** The parts of a unit that is too long, each between two of its own lines, without the comment above it. */
function bodiesOf(unit: Unit): Unit[] {
  const indent = unit[0]?.indent ?? 0;
  const bodies: Line[][] = [[]];
  for (const line of unit) {
    if (line.text !== '' && line.indent <= indent) bodies.push([]);
    else bodies.at(-1)?.push(line);
  }
  return bodies.filter(([first]) => !/^\s*\*/.test(first?.text ?? ''));
}

function typedLines(unit: Unit): number {
  return unit.reduce((count, { text }) => count + Number(text !== ''), 0);
}

function newBlock(unit: Unit): CodeBlock {
  const typed = unit.filter(({ text }) => text !== '');
  const min = Math.min(...typed.map(({ indent }) => indent));
  const text = typed
    .map((line) => ' '.repeat(line.indent - min) + line.text.trimStart().replace(/\t+/g, ' '))
    .join('\n');
  return { text, firstLine: typed[0]?.number ?? 1, lastLine: typed.at(-1)?.number ?? 1 };
}

const isImport = /^\s*(?:import|from|use|using|#include|require|package|export \* from|\} from)\b/;

/** Whether keys can type it, and it is neither a part of a string nor a list of imports. */
function isFit({ text }: CodeBlock, isCode: boolean): boolean {
  const lines = text.split('\n');
  if (!lines.every((line) => line.length <= maxLine && /^[\x20-\x7e\p{L}\p{Sc}§°]*$/u.test(line)))
    return false;
  if (secrets.some((pattern) => pattern.test(text)) || text.split(/\s+/).some(isUnreadable)) return false;
  if (!isCode) return true;
  // Its keywords are Latin, and few keyboards type two scripts.
  if (/[^\P{L}\p{Script=Latin}]/u.test(text)) return false;
  if (lines.filter((line) => isImport.test(line)).length * 2 > lines.length) return false;
  return (
    ['()', '[]', '{}'].every(([open, close]) => countOf(text, open) === countOf(text, close)) &&
    ['`', '"""', "'''"].every((quote) => countOf(text, quote) % 2 === 0)
  );
}

/**
 * A line with a name such as `password` and a string, or one that the next line goes on with; a value behind
 * such a name, a password of a command or an address, or a key of a well-known service. Leaving out too much
 * costs a block; leaving out too little shows a password.
 */
const secrets = [
  /^(?=.*(?:passw|passphrase|secret|token|credential|bearer|login|(?:api|access|private|encryption)[-_ ]?key|(?<![a-z])pwd?(?![a-z]))).*(?:[([{=]\n.*)?(["'`])(?:.+\1|$)/im,
  /(?:passw|passphrase|secret|token|credential|(?:api|access|private|encryption)[-_]?key|(?:\b|_)(?:pass|pwd|auth|pin))[\w-]*["'`]?\s*(?::=|=>|[:=])\s*(?:["'`][^"'`\n]{4,}["'`]|(?=\S*\d)[^\s"'`()[\]{}<>,;.]{6,}(?:\s|$))/i,
  /\b[A-Z_]*(?:PASS|PWD|SECRET|TOKEN|AUTH|PIN|KEY)[A-Z_]*=["']?[\w-]/,
  /:\/\/[^\s/:@"'`]+:[^\s/@"'`]+@|\s-u\s?[\w.@-]+:\S|--?(?:password|passwd|token|secret)[= ]["']?[\w-]/i,
  /\b(?:mysql|mysqldump|sshpass)\b.*\s-p|\bpassword [^\s:=(]+$|\bBasic [\w+/]{8}/im,
  /\b(?:A[KS]IA[A-Z\d]{12}|sk[-_](?:live|test|proj|ant)|xox[a-z]-|gh[a-z]_\w|glpat-|eyJ[\w-]{8})/i,
  /-----BEGIN/,
];

/** Whether a word may be a secret, a hash or something encoded. */
function isUnreadable(word: string): boolean {
  return word.length > maxWord || (/[A-Za-z0-9+/_=-]{32}/.test(word) && /\d/.test(word));
}

function countOf(text: string, part = ''): number {
  return text.split(part).length - 1;
}

/**
 * The text with blanks in the place of comments: a line that held nothing else ends a paragraph. A comment to
 * the end of its line follows a blank: what only looks like one in a word or in a string stays.
 */
function withoutComments(text: string, language: string): string {
  const { line, open, close = '' } = marksOf(language);
  const plain = (mark: string) => mark.replace(/[()*[\]{|}]/g, '\\$&');
  const comments = [
    ...(open === undefined ? [] : [`${plain(open)}[^]*?(?:${plain(close)}|(?![^]))`]),
    ...(line === undefined ? [] : [String.raw`(?<!\S)${plain(line)}.*`]),
  ];
  const strings = [...stringsOf(language), String.raw`(?:\\[^])+`].join('|');
  const tokens = new RegExp(`(?<comment>${comments.join('|')})|${strings}`, 'g');
  return text.replace(tokens, (token, comment) => (comment === undefined ? token : token.replace(/./g, ' ')));
}
