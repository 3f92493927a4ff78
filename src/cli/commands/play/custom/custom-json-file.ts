import { basename } from 'node:path';
import * as v from 'valibot';
import { CustomLayoutSchema, type SavedLayout } from '../../../../contract/custom-layout.ts';
import { readRegularFile } from '../../../../kit/files/regular-file.ts';
import { visibleText } from '../../../../kit/visible-text.ts';
import { customKeyboard } from '../../../../server/typing/requests.ts';
import { colourNames, type ThemeColours } from '../../../../tui/look/theme-colours.ts';
import { ThemeColoursSchema } from '../../../../tui/record/options.ts';
import { UsageError } from '../../../program/command-io.ts';

/** In bytes: twenty times what a keyboard or a theme needs. */
const maxFile = 64 * 1024;

const layoutExample =
  '{"name": "My board", "rows": ["qwfpgjluy;[]", "arstdhneio\'", "zxcvbkm,./", "1234567890"]}: the top, home, bottom and number row';

const themeExample = `{${colourNames.map((name) => `"${name}": "#87afff"`).join(', ')}}`;

/** Whether `--layout` or `--theme` was given a file, and not a name. */
export function isJsonFile(given: string): boolean {
  return /\.json$/i.test(given) || given.includes('/') || given.includes('\\');
}

/** The layout that a file describes, as `GET /api/layouts` would; a row may also be one text. */
export async function readLayoutFile(file: string): Promise<SavedLayout> {
  const place = `the layout in "${visibleText(file)}"`;
  const given = await readJson(file, place, layoutExample);
  const layout = parsed(CustomLayoutSchema, withKeys(given, file), place, layoutExample);
  return { id: customKeyboard(layout).id, layout };
}

/** The twelve colours in a file. */
export async function readThemeFile(file: string): Promise<ThemeColours> {
  const place = `the theme in "${visibleText(file)}"`;
  return parsed(ThemeColoursSchema, await readJson(file, place, themeExample), place, themeExample);
}

async function readJson(file: string, place: string, example: string): Promise<unknown> {
  const bytes = await readRegularFile(file, maxFile).catch((error: Error) => {
    throw new UsageError(`${place} cannot be read: ${error.message}.`);
  });
  try {
    return JSON.parse(bytes.toString('utf8').replace(/^\ufeff/, ''));
  } catch (error) {
    throw new UsageError(
      `${place} is not JSON (${visibleText((error as Error).message)}). An example is ${example}.`,
    );
  }
}

function parsed<Schema extends v.GenericSchema>(
  schema: Schema,
  given: unknown,
  place: string,
  example: string,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, given);
  if (result.success) return result.output;
  throw new UsageError(`${place}${problemText(result.issues[0])}. An example is ${example}.`);
}

function withKeys(given: unknown, file: string): unknown {
  if (typeof given !== 'object' || given === null || Array.isArray(given)) return given;
  const { rows, ...rest } = given as Readonly<Record<string, unknown>>;
  const name = basename(file)
    .replace(/\.json$/i, '')
    .slice(0, 60);
  return { name, ...rest, rows: Array.isArray(rows) ? rows.map(keysOf) : rows };
}

function keysOf(row: unknown): unknown {
  return typeof row === 'string' ? [...row] : row;
}

/** What is wrong and where, right after the name of the file: ` lacks "rows"` or `: rows[0] is too long`. */
function problemText(issue: v.BaseIssue<unknown>): string {
  const path = issue.type.endsWith('object') ? [] : (issue.path ?? []);
  const place = path.map(({ key }) => (typeof key === 'number' ? `[${key}]` : `.${String(key)}`)).join('');
  const start = place === '' ? '' : `: ${place.slice(1)}`;
  return visibleText(`${start} ${issue.message}`);
}
