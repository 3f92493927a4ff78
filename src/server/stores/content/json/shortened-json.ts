import type { Steps } from '../../../../kit/slices.ts';
import { isReadable, type JsonLines, type PathStep, readJsonLines } from './json-lines.ts';
import { afterSpace, type SplitJson } from './json-lists.ts';

// Finding the place of a mistake takes a second for a file of 20,000 announcements, and parsers cannot pause. The elements of the
// long lists are therefore looked at one by one, and those without a mistake are left out of what a parser gets.

/**
 * A text of which `toSyntaxProblem` says the same, and which is valid JSON if this one is: sound elements are left out, but for
 * their line breaks.
 */
export function* shortenJson(text: string, lists: SplitJson['lists']): Steps<string> {
  const parts: string[] = [];
  let at = 0;
  let hasReadable = false;
  for (const { elements, starts } of lists.values()) {
    let isLeftOut = false;
    for (const [index, element] of elements.entries()) {
      const start = starts[index] as number;
      const end = start + element.length;
      const soundness = soundnessOf(element);
      // Parsers stop here, at the latest at the comma or bracket after it.
      if (soundness === 'broken') return parts.join('') + text.slice(at, afterSpace(text, end) + 1);
      const isKept: boolean = soundness === 'readable' && !hasReadable;
      if (isKept) parts.push(text.slice(at, end));
      else if (isLeftOut) parts.push(blank(text.slice(at, end)));
      else parts.push(text.slice(at, start), '0', blank(element));
      isLeftOut = !isKept;
      hasReadable ||= isKept;
      at = end;
      yield;
    }
  }
  return parts.join('') + text.slice(at);
}

/** `readable`: not JSON, but only because of control characters, which do not stop the parser that finds places. */
function soundnessOf(element: string): 'sound' | 'readable' | 'broken' {
  try {
    JSON.parse(element);
    return 'sound';
  } catch {
    return isReadable(element) ? 'readable' : 'broken';
  }
}

/** The line breaks alone. CR LF counts as one, so a CR keeps apart from what follows it. */
function blank(text: string): string {
  const breaks: readonly string[] = text.match(/\r\n?|\n/g) ?? [];
  return breaks.includes('\r') ? `${breaks.join(' ')} ` : breaks.join('');
}

/** The same as `readJsonLines` for valid JSON that was split. */
export function* splitLineSteps(text: string, lists: SplitJson['lists']): Steps<JsonLines> {
  const short = yield* shortenJson(text, lists);
  const firstLines = new Map<string, readonly number[]>();
  for (const [name, { starts }] of lists) firstLines.set(name, yield* lineSteps(text, starts));
  let outer: JsonLines | undefined;
  const lineOf = (steps: readonly PathStep[]): number => {
    const [name, index, ...inner] = steps;
    const element = lists.get(String(name))?.elements[Number(index ?? Number.NaN)];
    const firstLine = firstLines.get(String(name))?.[Number(index)];
    if (element !== undefined && firstLine !== undefined)
      return firstLine + readJsonLines(element).lineOf(inner) - 1;
    outer ??= readJsonLines(short);
    return outer.lineOf(steps);
  };
  return { lineOf };
}

/** The lines of these positions, which are in ascending order. */
function* lineSteps(text: string, positions: readonly number[]): Steps<number[]> {
  const lines: number[] = [];
  let line = 1;
  let at = 0;
  for (const position of positions) {
    line += text.slice(at, position).match(/\r\n?|\n/g)?.length ?? 0;
    lines.push(line);
    at = position;
    yield;
  }
  return lines;
}
