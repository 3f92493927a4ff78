import { basename } from 'node:path';
import * as v from 'valibot';
import { type KeptLayout, OwnLayoutSchema } from '../../../../contract/own-layout.ts';
import { readRegularFile } from '../../../../kit/files/regular-file.ts';
import { toVisible } from '../../../../kit/visible-text.ts';
import { ownKeyboard } from '../../../../server/typing/requests.ts';
import { UsageError } from '../../../program/command-io.ts';

/** Twenty times what a keyboard needs. */
const largestFile = 64 * 1024;

const example =
  '{"name": "My board", "rows": ["qwfpgjluy;[]", "arstdhneio\'", "zxcvbkm,./", "1234567890"]}: the top, home, bottom and number row';

/** Whether `--layout` was given a file, and not the name of a layout. */
export function isLayoutFile(given: string): boolean {
  return /\.json$/i.test(given) || given.includes('/') || given.includes('\\');
}

/** The layout that a file describes, as `GET /api/layouts` would; a row may also be one text. */
export async function readLayoutFile(file: string): Promise<KeptLayout> {
  const place = `the layout in "${toVisible(file)}"`;
  const bytes = await readRegularFile(file, largestFile).catch((error: Error) => {
    throw new UsageError(`${place} cannot be read: ${error.message}.`);
  });
  const parsed = v.safeParse(OwnLayoutSchema, toGiven(bytes.toString('utf8'), file, place));
  if (!parsed.success)
    throw new UsageError(`${place} ${toProblem(parsed.issues[0])}. An example is ${example}.`);
  const layout = parsed.output;
  return { id: ownKeyboard(layout).id, layout };
}

function toGiven(text: string, file: string, place: string): unknown {
  let given: unknown;
  try {
    given = JSON.parse(text.replace(/^\ufeff/, ''));
  } catch (error) {
    throw new UsageError(
      `${place} is not JSON (${toVisible((error as Error).message)}). An example is ${example}.`,
    );
  }
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const { rows, ...rest } = given as Readonly<Record<string, unknown>>;
  const name = basename(file)
    .replace(/\.json$/i, '')
    .slice(0, 60);
  return { name, ...rest, rows: Array.isArray(rows) ? rows.map(toKeys) : rows };
}

function toKeys(row: unknown): unknown {
  return typeof row === 'string' ? [...row] : row;
}

/** What is wrong and where, after the name of the layout. */
function toProblem(issue: v.BaseIssue<unknown>): string {
  const path = issue.type === 'object' ? [] : (issue.path ?? []);
  const place = path.map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  return toVisible(`${place.slice(1)} ${issue.message}`.trim());
}
