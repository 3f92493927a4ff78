import { parse, type StringNode, type ValueNode } from '@humanwhocodes/momoa';
import type * as v from 'valibot';
import { visibleText } from '../../../kit/visible-text.ts';

/** A problem with its place: the line (from 1), and the path to the value, as in `announcements[2].link`. */
export interface FileProblem {
  readonly line?: number;
  readonly path?: string;
  readonly message: string;
}

export type PathStep = string | number;

/** Something wrong in a value, before its line is known. */
export interface Mistake {
  readonly steps: readonly PathStep[];
  readonly message: string;
}

/** Parses a file, perhaps written by hand: its text without a byte order mark, and its value. */
export function parseJsonFile(text: string): { plain: string; value: unknown } | { problems: FileProblem[] } {
  const plain = withoutMark(text);
  let value: unknown;
  try {
    value = JSON.parse(plain);
  } catch {
    return { problems: [nestingProblem(plain) ?? syntaxProblem(plain)] };
  }
  if (isDeeper(value, maxNesting)) return { problems: [nestingProblem(plain) as FileProblem] };
  return { plain, value };
}

/** A text without the byte order mark that some editors put first. */
export function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/**
 * The line of the deepest value that exists along a path, in a text that JSON.parse has accepted. Only for a
 * text with a problem: JSON.parse is far faster than this parser.
 */
export function createLineFinder(text: string): (steps: readonly PathStep[]) => number {
  const root = parse(text).body;
  return (steps) => lineAlong(root, steps);
}

export function located(mistakes: readonly Mistake[], text: string): FileProblem[] {
  if (mistakes.length === 0) return [];
  const lineOf = createLineFinder(text);
  return mistakes.map((mistake) => problemAt(lineOf(mistake.steps), mistake));
}

export function problemAt(line: number, { steps, message }: Mistake): FileProblem {
  return { line, ...(steps.length > 0 ? { path: pathText(steps) } : {}), message };
}

function pathText(steps: readonly PathStep[]): string {
  return steps
    .map((step, at) => (typeof step === 'number' ? `[${step}]` : at === 0 ? step : `.${step}`))
    .join('');
}

/** What a schema finds wrong, in the words of someone who writes the file. */
export function mistakeOf(issue: v.BaseIssue<unknown>): Mistake {
  const steps = (issue.path ?? []).map(({ key }) => key as PathStep);
  const isMissing = issue.input === undefined;
  return {
    steps,
    message: isMissing ? `${JSON.stringify(steps.at(-1))} is missing` : visibleText(plainMessage(issue)),
  };
}

function plainMessage({ kind, message, expected, received }: v.BaseIssue<unknown>): string {
  if (kind !== 'schema' || !message.startsWith('Invalid')) return message;
  return `expected ${kindNames[String(expected)] ?? expected} here, found ${kindNames[received] ?? received}`;
}

const kindNames: Readonly<Record<string, string>> = {
  string: 'a text',
  boolean: 'true or false',
  Object: 'an object { … }',
  Array: 'a list [ … ]',
};

/** Our files have fewer than ten levels; thousands could overflow the stack of a recursive walk. */
const maxNesting = 100;

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1));
}

/**
 * Where too many brackets are open. Only for a text with a problem, because it is eight times slower than
 * `isDeeper`. The parser with line numbers would overflow its stack on such a text.
 */
function nestingProblem(text: string): FileProblem | undefined {
  let [line, depth] = [1, 0];
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}\n]/g)) {
    if (token === '\n') line += 1;
    else if (token === '[' || token === '{') depth += 1;
    else if (token === ']' || token === '}') depth -= 1;
    if (depth > maxNesting)
      return { line, message: `more than ${maxNesting} brackets are open inside each other` };
  }
  return undefined;
}

/** What is wrong with a text that JSON.parse rejects. */
function syntaxProblem(text: string): FileProblem {
  const message =
    'this is not valid JSON: a comma, a bracket or a quotation mark is missing here or just before, or there is one too many';
  try {
    parse(text);
  } catch (error) {
    const { line } = error as { line: number };
    return { line, message };
  }
  // The only thing that JSON.parse rejects and this parser accepts.
  const control = 'this is not valid JSON: a text holds a line break or another control character';
  return { message: control };
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
  if (node.type === 'Array') return node.elements[Number(step)]?.value;
  if (node.type !== 'Object') return undefined;
  return node.members.find(({ name }) => (name as StringNode).value === step)?.value;
}
