import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { makeFolder } from './folders.ts';

export const views = ['blocks', 'lines'] as const;
export const themeNames = ['classic', 'clear', 'ember'] as const;
export const advanceKeys = ['space', 'enter', 'either'] as const;

const OptionsSchema = v.object({
  /** How the words are shown: one in block letters, or the whole round as text. */
  view: v.fallback(v.picklist(views), 'blocks'),
  /** `clear` is safe for colour-blind users. */
  theme: v.fallback(v.picklist(themeNames), 'classic'),
  /** The key that finishes a word. */
  advance: v.fallback(v.picklist(advanceKeys), 'space'),
  /** The terminal's bell at every wrong key. */
  sounds: v.fallback(v.boolean(), false),
  /** Figures change once a word instead of at every key. */
  reducedMotion: v.fallback(v.boolean(), false),
  /** A drawing of the keyboard that shows the next key. */
  keyboard: v.fallback(v.boolean(), false),
  /** Only characters that every terminal has. */
  ascii: v.fallback(v.boolean(), false),
  /** Results and history as plain sentences, for screen readers. */
  plain: v.fallback(v.boolean(), false),
});

export type Options = v.InferOutput<typeof OptionsSchema>;

export const defaultOptions: Options = v.parse(OptionsSchema, {});

const fileName = 'options.json';

/** The saved options; whatever is missing or makes no sense has its default. */
export async function readOptions(folder: string): Promise<Options> {
  try {
    const parsed = v.safeParse(OptionsSchema, JSON.parse(await readFile(join(folder, fileName), 'utf8')));
    return parsed.success ? parsed.output : defaultOptions;
  } catch {
    return defaultOptions;
  }
}

/** Replaces a file as a whole, or rejects and leaves the old one. */
export type WriteFile = (path: string, text: string) => Promise<void>;

/**
 * Gives a function that saves what has changed on the screen since it was last called. Everything else stays as it is
 * in the file: a flag holds for once, and another client may have saved something of its own meanwhile.
 */
export function createOptionsSaver(
  folder: string,
  atStart: Options,
  writeFile: WriteFile,
): (now: Options) => Promise<void> {
  let known = atStart;
  let latest: Promise<void> = Promise.resolve();

  return (now) => {
    const saving = latest.then(() => save(now)); // one after the other, or the first change could be written last
    latest = saving.catch(() => {});
    return saving;
  };

  async function save(now: Options): Promise<void> {
    const changed = Object.entries(now).filter(([key, value]) => value !== known[key as keyof Options]);
    if (changed.length === 0) return;
    makeFolder(folder);
    const options = { ...(await readOptions(folder)), ...Object.fromEntries(changed) };
    await writeFile(join(folder, fileName), `${JSON.stringify(options, undefined, 2)}\n`);
    known = now;
  }
}
