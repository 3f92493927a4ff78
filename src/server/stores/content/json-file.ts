import { type DocumentNode, iterator, parse, type ValueNode } from '@humanwhocodes/momoa';
import { visibleText } from '../../../kit/visible-text.ts';

/** A problem with its place: the line, from 1, and the path to the value, such as `announcements[2].link`. */
export interface FileProblem {
  readonly line?: number;
  readonly path?: string;
  readonly message: string;
}

export type PathStep = string | number;

/** JSON that knows its line numbers. Only made if there is a problem: JSON.parse is far faster. */
export interface JsonLines {
  /** The line of the deepest value that exists along a path. */
  lineOf(steps: readonly PathStep[]): number;
}

/** Parses a file written by hand or by us: its text without a byte order mark, and its value. */
export function parseJsonFile(text: string): { plain: string; value: unknown } | { problems: FileProblem[] } {
  const plain = text.replace(/^\uFEFF/, '');
  const tooDeep = deepNesting(plain);
  if (tooDeep !== undefined) return { problems: [tooDeep] };
  try {
    return { plain, value: JSON.parse(plain) };
  } catch {
    return { problems: [syntaxProblem(plain)] };
  }
}

/** The line numbers of a text that JSON.parse has accepted. */
export function readJsonLines(text: string): JsonLines {
  const root = parse(text, { mode: 'json' }).body;
  return { lineOf: (steps) => lineAlong(root, steps) };
}

export function pathText(steps: readonly PathStep[]): string {
  return steps
    .map((step, at) => (typeof step === 'number' ? `[${step}]` : at === 0 ? step : `.${step}`))
    .join('');
}

/** No file of ours has ten levels. Thousands could overflow the stack of code that walks a value. */
const maxNesting = 100;

const [newline, quote, backslash] = [0x0a, 0x22, 0x5c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

function deepNesting(text: string): FileProblem | undefined {
  let depth = 0;
  let line = 1;
  let isText = false;
  for (let at = 0; at < text.length; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === newline) line += 1;
    else if (isText && unit === backslash) at += 1;
    else if (unit === quote) isText = !isText;
    else if (isText) continue;
    else if (unit === openList || unit === openObject) depth += 1;
    else if (unit === closeList || unit === closeObject) depth -= 1;
    if (depth > maxNesting)
      return { line, message: `more than ${maxNesting} brackets are open inside each other here` };
  }
  return undefined;
}

/** What is wrong with a text that JSON.parse has refused. */
function syntaxProblem(text: string): FileProblem {
  if (text.trim() === '') return { line: 1, message: 'the file is empty' };
  if (endsTooEarly(text)) {
    const message = 'the file ends too early: a bracket or a quotation mark is not closed';
    return { line: text.trimEnd().split('\n').length, message };
  }
  try {
    return rawControlProblem(text, parse(text, { mode: 'json' }));
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const what = error.message
      .replace(/\s*\(\d+:\d+\)\.?$/, '')
      .replace(/token (\w+)/, (_, name: string) => tokenNames[name] ?? name)
      .replace(/ found\.?$/, '');
    const message = `this is not valid JSON: ${visibleText(what.charAt(0).toLowerCase() + what.slice(1))}`;
    return 'line' in error && typeof error.line === 'number' ? { line: error.line, message } : { message };
  }
}

const tokenNames: Readonly<Record<string, string>> = {
  LBrace: '"{"',
  RBrace: '"}" (is there a comma too many before it?)',
  LBracket: '"["',
  RBracket: '"]" (is there a comma too many before it?)',
  Comma: '","',
  Colon: '":"',
  String: 'text (is there a comma missing before it?)',
  Number: 'number (is there a comma missing before it?)',
  Boolean: 'true or false',
  Null: 'null',
};

/**
 * The message of JSON.parse differs between engines, but the position is always the end. "Unterminated" is
 * also said of `7.]`.
 */
function endsTooEarly(text: string): boolean {
  try {
    JSON.parse(text);
    return false;
  } catch (error) {
    const { message } = error as Error;
    const position = /at position (\d+)/.exec(message)?.[1];
    return (
      /end of JSON|unterminated string/i.test(message) || Number(position ?? -1) >= text.trimEnd().length
    );
  }
}

// The only thing that JSON.parse refuses and this parser accepts: raw line breaks and other control
// characters inside strings.
function rawControlProblem(text: string, root: DocumentNode): FileProblem {
  for (const { node } of iterator(root)) {
    if (node.type !== 'String') continue;
    if (/\p{Cc}/u.test(text.slice(node.loc.start.offset, node.loc.end.offset))) {
      const message =
        'this text holds a line break or another control character; JSON writes those as \\n, \\t …';
      return { line: node.loc.start.line, message };
    }
  }
  return { message: 'this is not valid JSON' };
}

function lineAlong(root: ValueNode, steps: readonly PathStep[]): number {
  let node = root;
  for (const step of steps) {
    const child = childOf(node, step);
    if (child === undefined) break;
    node = child;
  }
  return node.loc.start.line;
}

function childOf(node: ValueNode, step: PathStep): ValueNode | undefined {
  if (node.type === 'Array' && typeof step === 'number') return node.elements[step]?.value;
  if (node.type !== 'Object') return undefined;
  return node.members.find(({ name }) => name.type === 'String' && name.value === step)?.value;
}
