import * as v from 'valibot';
import { type OriginPattern, parseOriginPattern } from '../../../kit/origin-pattern.ts';
import { type FileProblem, type JsonLines, parseJsonFile, pathText, readJsonLines } from './json-file.ts';

const originsSchema = v.looseObject({ origins: v.array(v.string()) });

/**
 * Parses `origins.json`, `{ "origins": ["https://example.org", "https://*.example.org"] }`; one invalid entry
 * invalidates the file.
 */
export function parseOriginsFile(text: string): { patterns: OriginPattern[] } | { problems: FileProblem[] } {
  const json = parseJsonFile(text);
  if ('problems' in json) return json;
  const { plain, value } = json;
  const result = v.safeParse(originsSchema, value);
  if (!result.success)
    return { problems: [{ line: 1, message: 'write {"origins": [ … ]} with a list of texts' }] };
  const patterns: OriginPattern[] = [];
  const problems: FileProblem[] = [];
  let lines: JsonLines | undefined;
  for (const [index, entry] of result.output.origins.entries()) {
    const pattern = parseOriginPattern(entry);
    if ('problem' in pattern) {
      const steps = ['origins', index];
      lines ??= readJsonLines(plain);
      problems.push({ line: lines.lineOf(steps), path: pathText(steps), message: pattern.problem });
    } else patterns.push(pattern);
  }
  return problems.length > 0 ? { problems } : { patterns };
}

/** The text of `origins.json`; other fields of the previous text are kept. */
export function originsText(origins: readonly string[], before: string | undefined): string {
  const rest: object = before === undefined ? {} : JSON.parse(before.replace(/^\uFEFF/, ''));
  return `${JSON.stringify({ ...rest, origins }, null, 2)}\n`;
}
