import { join } from 'node:path';
import * as v from 'valibot';
import { type Mode, ModeSchema } from '../../contract/session-setup.ts';
import { readRegularFile } from '../../kit/files/regular-file.ts';
import { defaultMode } from '../../typing/modes/mode.ts';
import { colourNames } from '../look/themes.ts';
import { makePrivateFolder } from './folders.ts';
import { defaultTableOptions, parseTableOptions, type TableOptions } from './option-table.ts';

/** Every mode is remembered except texts. */
const RememberedModeSchema = v.pipe(
  ModeSchema,
  v.guard((mode): mode is Exclude<Mode, { type: 'text' }> => mode.type !== 'text'),
);

/** Of a language or a layout, as servers name it. */
const id = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/));

const colour = v.pipe(
  v.string('must be a colour such as "#87afff"'),
  v.regex(/^#[\da-f]{6}$/i, 'must be a colour such as "#87afff"'),
);

export const ThemeColoursSchema = v.strictObject(
  v.entriesFromList(colourNames, colour),
  ({ expected, received }) => {
    if (expected === 'never') return `has ${received}, which is not one of the twelve`;
    return expected === 'Object' ? `must be an object with ${colourNames.join(', ')}` : `lacks ${expected}`;
  },
);

/** What is practised, as last chosen; a custom text is not remembered. */
const PracticeSchema = v.object({
  mode: v.fallback(RememberedModeSchema, defaultMode),
  language: v.fallback(id, 'en'),
  layout: v.fallback(id, 'qwerty'),
  /** The colours of a custom theme, even while another one is chosen; null: none. */
  customTheme: v.fallback(v.nullable(ThemeColoursSchema), null),
});

/** A text of the typist, and its title. */
export interface CustomText {
  readonly text: string;
  readonly title: string;
  /** The programming language of code. */
  readonly code?: string;
  /** Words to draw from, in place of the text. */
  readonly list?: readonly string[];
  /** One sentence about what was changed in it. */
  readonly notice?: string;
  /** Saves the place after this part of a longer text, and resolves to the next; missing for a whole text. */
  readonly next?: CustomTextSource;
  /** Another text of the same folder. */
  readonly other?: CustomTextSource;
}

type CustomTextSource = (options: Pick<TableOptions, 'comments'>) => Promise<CustomText>;

export type Options = v.InferOutput<typeof PracticeSchema> & TableOptions;

export const defaultOptions: Options = { ...v.parse(PracticeSchema, {}), ...defaultTableOptions };

const fileName = 'options.json';

/** The saved options; missing or invalid ones have their default. */
export async function readOptions(folder: string): Promise<Options> {
  try {
    const raw: unknown = JSON.parse(String(await readRegularFile(join(folder, fileName))));
    const practice = v.safeParse(PracticeSchema, raw);
    if (!practice.success) return defaultOptions;
    return { ...practice.output, ...parseTableOptions(raw as Readonly<Record<string, unknown>>) };
  } catch {
    return defaultOptions;
  }
}

/**
 * Returns a function that saves what has changed on the screen since it was last called. Everything else in
 * the file stays: a flag applies to this run only, and another process may have saved something meanwhile.
 *
 * @param writeFile replaces a file as a whole, or rejects and leaves the old one
 */
export function createOptionsSaver(
  folder: string,
  atStart: Options,
  writeFile: (path: string, text: string) => Promise<unknown>,
): (now: Options) => Promise<void> {
  let known = atStart;
  let latest: Promise<void> = Promise.resolve();

  return (now) => {
    const saving = latest.then(() => save(now)); // or the first change could be written last
    latest = saving.catch(() => {});
    return saving;
  };

  async function save(now: Options): Promise<void> {
    const changed = Object.entries(now).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(known[key as keyof Options]),
    );
    if (changed.length === 0) return;
    makePrivateFolder(folder);
    const options = { ...(await readOptions(folder)), ...Object.fromEntries(changed) };
    await writeFile(join(folder, fileName), `${JSON.stringify(options, undefined, 2)}\n`);
    known = now;
  }
}
