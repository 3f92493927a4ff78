import * as v from 'valibot';
import { readRegularFile } from '../../../../kit/files/regular-file.ts';
import { visibleText } from '../../../../kit/visible-text.ts';
import type { ThemeColours } from '../../../../tui/look/themes.ts';
import { ThemeColoursSchema } from '../../../../tui/record/options.ts';
import { UsageError } from '../../../program/command-io.ts';

/** In bytes: a hundred times what a theme needs. */
const maxFile = 64 * 1024;

/** Fit for dark grounds, to start from; the same as in docs/playing.md. */
const example: ThemeColours = {
  ...{ accent: '#87afff', right: '#87d7af', wrong: '#ff8787', warning: '#ffaf5f' },
  ...{ grade1: '#af5f5f', grade2: '#d7af87', grade3: '#afafd7', grade4: '#87afff' },
  ...{ keyword: '#d7afff', string: '#afd787', number: '#ffd787', comment: '#87afaf' },
};

/** The twelve colours in a JSON file. Rejects with a UsageError that says all that is wrong, with an example. */
export async function readThemeFile(file: string): Promise<ThemeColours> {
  const place = `the theme in "${visibleText(file)}"`;
  const bytes = await readRegularFile(file, maxFile).catch((error: Error) => {
    throw new UsageError(`${place} cannot be read: ${error.message}.`);
  });
  const wrong = (problem: string) =>
    new UsageError(`${place} ${visibleText(problem)}. An example is ${JSON.stringify(example)}.`);
  let given: unknown;
  try {
    given = JSON.parse(bytes.toString('utf8').replace(/^\ufeff/, ''));
  } catch (error) {
    throw wrong(`is not JSON (${(error as Error).message})`);
  }
  const { success, output, issues = [] } = v.safeParse(ThemeColoursSchema, given);
  if (success) return output;
  const missing = issues
    .filter(({ message }) => message.startsWith('lacks '))
    .map(({ expected }) => expected);
  const others = issues
    .filter(({ message }) => !message.startsWith('lacks '))
    // A colour that is unknown is named by the message itself.
    .map(({ type, path, message }) => (type === 'strict_object' ? message : `${path?.[0]?.key} ${message}`));
  throw wrong([...(missing.length > 0 ? [`lacks ${missing.join(', ')}`] : []), ...others].join('; '));
}
