import type { Read } from '../../announcements/changes/draft.ts';
import type { AnnouncementEdit, NewAnnouncement } from '../../announcements/changes/history-edit.ts';
import { fieldOf } from '../../announcements/fields.ts';
import { type FieldProblem, type PlainValues, plainNames } from '../../announcements/plain-values.ts';
import { instantText } from '../../announcements/times/instant.ts';
import { safeText } from '../../kit/terminal-text.ts';
import { type CommandIo, UsageError } from '../program/command-io.ts';

/** The option that sets a field, by the name of the field in the API; undefined: the sentence names it. */
function optionOf(field: string): string | undefined {
  const [name = '', language, part = 'message'] = field.split('.', 3);
  if (name === 'translations') {
    const option = pairOptions[part] ?? '--translation';
    return language === undefined ? option : `${option} ${language}`;
  }
  if (name === 'audience')
    return language === undefined ? undefined : language === 'sites' ? '--site' : '--path';
  return ['at', 'expires', 'site', 'path', 'lang'].includes(name) ? `--${name}` : undefined;
}

/** Options of a language and a text, by the parts of a translation. */
const pairOptions: Readonly<Record<string, string>> = {
  message: '--translation',
  link: '--translated-link',
  linkLabel: '--translated-link-label',
};

/** A problem in terms of the options that were typed: `--path: "docs" is not a path; write it like …`. */
export function optionSentence({ field, problem, fix }: FieldProblem): string {
  const option = optionOf(field);
  const sentence = fix === undefined ? problem : `${problem}; ${fix}`;
  return safeText(option === undefined ? sentence : `${option}: ${sentence}`);
}

/** Wrong usage if there are problems; all of them are named at once. */
export function refuseProblems(problems: readonly FieldProblem[]): void {
  const sentences = problems.map(optionSentence);
  if (sentences.length === 1) throw new UsageError(sentences.join());
  if (sentences.length > 1) throw new UsageError(`several things are wrong:\n  ${sentences.join('\n  ')}`);
}

/** What was read of options; wrong usage if there are problems. */
export function required<T>(read: Read<T>): T {
  if ('value' in read) return read.value;
  refuseProblems(read.problems);
  throw new Error('nothing was read, and nothing is wrong');
}

export function requireId(id: string | undefined): string {
  if (id !== undefined) return id;
  throw new UsageError('the id of the announcement is missing; see typebadge announce list');
}

/** In bytes; far more than a message may have. */
const maxInput = 65_536;

/** The message as given: the words, or all of standard input for `-`; undefined if there is none. */
export async function readMessage(words: readonly string[], io: CommandIo): Promise<string | undefined> {
  const [message, ...more] = words;
  if (more.length > 0) {
    throw new UsageError(
      `the message arrived as ${words.length} arguments; put it in quotes: "${words.join(' ')}"`,
    );
  }
  return message === '-' ? readInput(io) : message;
}

async function readInput(io: CommandIo): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of io.in) {
    const bytes = Buffer.from(chunk);
    chunks.push(bytes);
    size += bytes.length;
    if (size > maxInput) throw new UsageError('standard input is longer than any message may be');
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
  } catch {
    throw new UsageError('standard input is not UTF-8 text');
  }
}

/** A new announcement as the API takes it. */
export function publishBody({ published, expires, id, ...values }: NewAnnouncement, now: number): object {
  return { ...jsonOf(values), at: startText(published, now), expires: instantText(expires), id };
}

export function editBody({ published, expires, ...values }: AnnouncementEdit, now: number): object {
  const end = expires === undefined ? undefined : instantText(expires);
  return { ...jsonOf(values), at: startText(published, now), expires: end };
}

export function expireBody(end: number | undefined, now: number): object {
  return { at: startText(end, now) };
}

/** Now is when the server gets it: by then, this second may be in the past. */
function startText(instant: number | undefined, now: number): string | undefined {
  const text = instant === undefined ? undefined : instantText(instant);
  return text === instantText(now) ? 'now' : text;
}

/** What `--no-…` says is false here, and null in JSON. */
function jsonOf(values: PlainValues): object {
  return Object.fromEntries(
    plainNames.map((name) => {
      const value = values[name];
      return [name, fieldOf(name).kind === 'flag' ? value : withoutFalse(value)];
    }),
  );
}

function withoutFalse(value: unknown): unknown {
  if (value === false) return null;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutFalse(part)]));
}
