import { findTooDeep } from './json-depth.ts';
import { type FileProblem, toSyntaxProblem } from './json-lines.ts';

/** Parses a file written by hand or by us: its text without a byte order mark, and its value. */
export function parseContentJson(
  text: string,
): { plain: string; value: unknown } | { problems: FileProblem[] } {
  const plain = text.replace(/^\uFEFF/, '');
  const tooDeep = findTooDeep(plain);
  if (tooDeep !== undefined) return { problems: [tooDeep] };
  try {
    return { plain, value: JSON.parse(plain) };
  } catch {
    return { problems: [toSyntaxProblem(plain)] };
  }
}
