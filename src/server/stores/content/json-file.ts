import { parse, type ValueNode } from '@humanwhocodes/momoa';

/** A problem with its place: the line (from 1), and the path to the value, as in `announcements[2].link`. */
export interface FileProblem {
  readonly line?: number;
  readonly path?: string;
  readonly message: string;
}

export type PathStep = string | number;

/** JSON with line numbers. Only parsed if there is a problem: JSON.parse is far faster. */
export interface JsonLines {
  /** The line of the deepest value that exists along a path. */
  lineOf(steps: readonly PathStep[]): number;
}

/** Parses a file, perhaps written by hand: its text without a byte order mark, and its value. */
export function parseJsonFile(text: string): { plain: string; value: unknown } | { problems: FileProblem[] } {
  const plain = text.replace(/^\uFEFF/, '');
  let value: unknown;
  try {
    value = JSON.parse(plain);
  } catch {
    return { problems: [nestingProblem(plain) ?? syntaxProblem(plain)] };
  }
  const problem = isDeeper(value, maxNesting) ? nestingProblem(plain) : undefined;
  return problem === undefined ? { plain, value } : { problems: [problem] };
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
    parse(text, { mode: 'json' });
  } catch (error) {
    const { line } = error as { line?: number };
    return line === undefined ? { message } : { line, message };
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
  if (node.type === 'Array' && typeof step === 'number') return node.elements[step]?.value;
  if (node.type !== 'Object') return undefined;
  return node.members.find(({ name }) => name.type === 'String' && name.value === step)?.value;
}
