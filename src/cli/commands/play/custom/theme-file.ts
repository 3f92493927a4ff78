import * as v from 'valibot';
import { readRegularFile } from '../../../../kit/files/regular-file.ts';
import { visibleText } from '../../../../kit/visible-text.ts';
import { colourNames, type ThemeColours } from '../../../../tui/look/themes.ts';
import { ThemeColoursSchema } from '../../../../tui/record/options.ts';
import { UsageError } from '../../../program/command-io.ts';

/** In bytes: a hundred times what a theme needs. */
const maxFile = 64 * 1024;

const example = `{${colourNames.map((name) => `"${name}": "#87afff"`).join(', ')}}`;

/** The twelve colours in a JSON file. Rejects with a UsageError that says what is wrong, with an example. */
export async function readThemeFile(file: string): Promise<ThemeColours> {
  const place = `the theme in "${visibleText(file)}"`;
  const bytes = await readRegularFile(file, maxFile).catch((error: Error) => {
    throw new UsageError(`${place} cannot be read: ${error.message}.`);
  });
  const wrong = (problem: string) =>
    new UsageError(`${place} ${visibleText(problem)}. An example is ${example}.`);
  let given: unknown;
  try {
    given = JSON.parse(bytes.toString('utf8').replace(/^\ufeff/, ''));
  } catch (error) {
    throw wrong(`is not JSON (${(error as Error).message})`);
  }
  const { success, output, issues } = v.safeParse(ThemeColoursSchema, given);
  if (success) return output;
  // A colour that is missing or unknown is named by the message itself.
  const [{ type, path, message }] = issues;
  throw wrong(type === 'strict_object' ? message : `is wrong: ${path?.[0]?.key} ${message}`);
}
