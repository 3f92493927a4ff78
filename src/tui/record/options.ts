import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { KeptLayoutSchema, type OwnLayout } from '../../contract/own-layout.ts';
import { ModeSchema } from '../../contract/session-setup.ts';
import { ruleValues } from '../../typing/rules/rules.ts';
import { themeNames } from '../look/themes.ts';
import { makeOwnFolder } from './folders.ts';

export const views = ['blocks', 'lines'] as const;
export const advanceKeys = ['space', 'enter', 'either'] as const;

export const paces = ['off', 'average', 'best', 'last'] as const;
export const largestGoal = 600;
export const backspaces = ['free', 'none'] as const;
export const largestMinWpm = 300;

function wholeUpTo(most: number) {
  return v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(most));
}

/** What is remembered of the modes: all but texts. */
const RememberedModeSchema = v.pipe(
  ModeSchema,
  v.check(({ type }) => type !== 'text'),
  v.transform((mode) => mode as Exclude<v.InferOutput<typeof ModeSchema>, { type: 'text' }>),
);

const usualMode = { type: 'words', count: 30 } as const;

/** As servers call languages and layouts. */
const id = v.pipe(v.string(), v.regex(/^[\w-]{1,64}$/));

const OptionsSchema = v.object({
  /** What is practised, as it was chosen last; a text of one's own is not remembered. */
  mode: v.fallback(RememberedModeSchema, usualMode),
  language: v.fallback(id, 'en'),
  layout: v.fallback(id, 'qwerty'),
  /** The typist's own layout, also while another one is chosen; null: there is none. */
  ownLayout: v.fallback(v.nullable(KeptLayoutSchema), null),
  punctuation: v.fallback(v.boolean(), false),
  /** A space before the end of a word is a mistake, instead of its end. */
  strict: v.fallback(v.boolean(), false),
  /** What a wrong letter stops: nothing, the caret, or the end of its word. */
  stopOn: v.fallback(v.picklist(ruleValues.stopOn), 'none'),
  backspace: v.fallback(v.picklist(backspaces), 'free'),
  /** The first mistake ends the round. */
  suddenDeath: v.fallback(v.boolean(), false),
  /** Mistakes are not marked while the round is typed. */
  blind: v.fallback(v.boolean(), false),
  /** Standard WPM and percent below which a round ends; 0: no limit. */
  minWpm: v.fallback(wholeUpTo(largestMinWpm), 0),
  minAccuracy: v.fallback(wholeUpTo(100), 0),
  /** What to race: nothing, the average or best of earlier rounds, the last round of the kind, or a speed in WPM. */
  pace: v.fallback(v.union([v.picklist(paces), v.pipe(wholeUpTo(largestMinWpm), v.minValue(1))]), 'off'),
  /** Minutes to practise a day; 0: no goal. */
  goal: v.fallback(wholeUpTo(largestGoal), 0),
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

/** A text of the typist's own, and what it is called. */
export interface OwnText {
  readonly text: string;
  readonly title: string;
  /** Its language; missing: the one of the options. */
  readonly language?: string;
  /** Keeps the place behind this part of a longer text, and gives the next part; missing where the text is whole. */
  readonly next?: () => Promise<OwnText>;
}

export type Options = v.InferOutput<typeof OptionsSchema>;

export const defaultOptions: Options = v.parse(OptionsSchema, {});

/** The layout of the typist's own, where that is the one chosen. */
export function toChosenOwnLayout({
  layout,
  ownLayout,
}: Pick<Options, 'layout' | 'ownLayout'>): OwnLayout | undefined {
  return ownLayout?.id === layout ? ownLayout.layout : undefined;
}

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
export type WriteFile = (path: string, text: string) => Promise<unknown>;

/**
 * Gives a function that saves what has changed on the screen since it was last called. Everything else stays as it is
 * in the file: a flag applies to this run only, and another client may have saved something of its own meanwhile.
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
    const changed = Object.entries(now).filter(
      ([key, value]) => JSON.stringify(value) !== JSON.stringify(known[key as keyof Options]),
    );
    if (changed.length === 0) return;
    makeOwnFolder(folder);
    const options = { ...(await readOptions(folder)), ...Object.fromEntries(changed) };
    await writeFile(join(folder, fileName), `${JSON.stringify(options, undefined, 2)}\n`);
    known = now;
  }
}
