import * as v from 'valibot';
import { readRegularFile } from '../../../../kit/files/regular-file.ts';
import { visibleText } from '../../../../kit/visible-text.ts';
import type { ThemeColours } from '../../../../tui/look/themes.ts';
import { ThemeColoursSchema } from '../../../../tui/record/options.ts';
import { UsageError } from '../../../program/command-io.ts';

/** In bytes: a hundred times what a theme needs. */
const maxFile = 64 * 1024;

/** The twelve colours in a JSON file. Rejects with a UsageError that says all that is wrong. */
export async function readThemeFile(file: string): Promise<ThemeColours> {
  const wrong = (problem: string) =>
    new UsageError(
      `the theme in "${visibleText(file)}" ${visibleText(problem)}. docs/playing.md has an example.`,
    );
  const bytes = await readRegularFile(file, maxFile).catch((error: Error) => {
    throw wrong(`cannot be read: ${error.message}`);
  });
  let given: unknown;
  try {
    given = JSON.parse(bytes.toString('utf8').replace(/^\ufeff/, ''));
  } catch (error) {
    throw wrong(`is not JSON (${(error as Error).message})`);
  }
  const { success, output, issues = [] } = v.safeParse(ThemeColoursSchema, given);
  if (success) return output;
  // A colour that is missing or unknown is named by the message itself.
  const nameOf = ({ type, path }: (typeof issues)[number]) =>
    type === 'strict_object' ? '' : `${path?.[0]?.key} `;
  throw wrong(issues.map((issue) => `${nameOf(issue)}${issue.message}`).join('; '));
}
