import type { Readable, Writable } from 'node:stream';
import { safeText } from '../../kit/terminal-text.ts';
import { type AnnouncementJson, inReadingOrder } from '../display/announcement-text.ts';
import {
  type CommandIo,
  DeclinedError,
  isInteractive,
  RefusedError,
  UsageError,
} from '../program/command-io.ts';
import type { ReportOptions } from '../program/report.ts';

export interface WhichOptions extends ReportOptions {
  readonly command: 'edit' | 'expire' | 'withdraw';
  /** All announcements. */
  readonly list: () => Promise<readonly AnnouncementJson[]>;
}

/** The given id, or that of an announcement chosen on a terminal. Never guesses. */
export async function whichAnnouncement(
  id: string | undefined,
  { command, json, list }: WhichOptions,
  io: CommandIo,
): Promise<string> {
  if (id !== undefined) return id;
  const announcements = inReadingOrder(await list());
  if (json !== true && isInteractive(io)) return choose(announcements, questions[command], io);
  const current = announcements.find(({ state }) => state === 'active');
  const example =
    current === undefined
      ? 'see typebadge announce list'
      : `for the current one: typebadge announce ${command} ${current.id}`;
  throw new UsageError(`the id of the announcement is missing; ${example}`);
}

interface Question {
  readonly title: string;
  readonly isOffered: (announcement: AnnouncementJson) => boolean;
  readonly noneLeft: string;
}

const questions: Readonly<Record<WhichOptions['command'], Question>> = {
  edit: {
    title: 'Which announcement to change?',
    isOffered: ({ state }) => state !== 'withdrawn',
    noneLeft: 'there is no announcement to change; make one with typebadge announce publish',
  },
  expire: {
    title: 'Which announcement to end?',
    isOffered: ({ state }) => state === 'active' || state === 'superseded',
    noneLeft: 'there is no announcement to end',
  },
  withdraw: {
    title: 'Which announcement to withdraw?',
    isOffered: ({ state }) => state !== 'withdrawn',
    noneLeft: 'there is no announcement to withdraw',
  },
};

async function choose(
  announcements: readonly AnnouncementJson[],
  { title, isOffered, noneLeft }: Question,
  io: CommandIo,
): Promise<string> {
  const offered = announcements.filter(isOffered);
  if (offered.length === 0) throw new RefusedError(noneLeft);
  const prompts = await createPrompts(io, () => new DeclinedError('nothing was changed'));
  const choices = offered.map(({ id, state, message }) => ({
    value: id,
    label: `${id}  ${state}  ${safeText(message)}`,
  }));
  return prompts.choose(title, choices);
}

export interface Choice {
  readonly value: string;
  readonly label: string;
}

export interface TextQuestion {
  readonly message: string;
  readonly initial: string;
  /** Whether what is typed replaces `initial`, instead of going on behind it. */
  readonly isPreset: boolean;
  readonly problemIn: (text: string) => string | undefined;
}

/** Questions on the terminal. Ctrl+C or Escape rejects with the given error. */
export interface Prompts {
  title(text: string): void;
  show(lines: readonly string[]): void;
  text(question: TextQuestion): Promise<string>;
  choose(message: string, choices: readonly Choice[], initial?: string): Promise<string>;
}

/** Loads the library: only a command that asks somebody needs it. */
export async function createPrompts({ in: input, out }: CommandIo, declined: () => Error): Promise<Prompts> {
  const { intro, isCancel, log, select, text } = await import('@clack/prompts');
  const streams = { input: input as Readable, output: out as unknown as Writable };
  const answerOf = (answer: string | symbol): string => {
    if (isCancel(answer)) throw declined();
    return String(answer);
  };
  return {
    title: (line) => intro(safeText(line), streams),
    show: (lines) => log.message(lines.join('\n'), streams),
    async text({ message, initial, isPreset, problemIn }) {
      // Text of others must not control the terminal; as long as nobody changes it, it stays as it was.
      const shown = safeText(initial);
      const asTyped = (value: string | undefined) => {
        const typed = isPreset && !value ? shown : (value ?? '');
        return typed === shown ? initial : typed;
      };
      const answer = await text({
        message: safeText(message),
        ...(isPreset ? { placeholder: shown, defaultValue: shown } : { initialValue: shown }),
        validate: (value) => {
          const problem = problemIn(asTyped(value));
          return problem === undefined ? undefined : safeText(problem);
        },
        ...streams,
      });
      return asTyped(answerOf(answer));
    },
    async choose(message, choices, initial) {
      const options = choices.map(({ value, label }) => ({ value, label: safeText(label) }));
      const first = initial === undefined ? {} : { initialValue: initial };
      return answerOf(await select({ message: safeText(message), options, ...first, ...streams }));
    },
  };
}
