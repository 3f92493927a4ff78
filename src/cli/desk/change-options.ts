import { fieldOf } from '../../announcements/fields.ts';
import {
  type FieldProblem,
  type PlainValues,
  plainNames,
  type Read,
} from '../../announcements/plain-values.ts';
import { instantText } from '../../announcements/times/instant.ts';
import { safeText } from '../../kit/terminal-text.ts';
import { type CommandIo, UsageError } from '../program/command-io.ts';
import { readInput } from '../program/questions.ts';

function optionOf(field: string): string | undefined {
  const [name = '', place, part = 'message'] = field.split('.', 3);
  if (name === 'audience') return { sites: '--site', paths: '--path' }[place ?? ''];
  if (name !== 'translations')
    return ['at', 'expires', 'site', 'path', 'lang'].includes(name) ? `--${name}` : undefined;
  const option = { link: '--translated-link', linkLabel: '--translated-link-label' }[part] ?? '--translation';
  return place === undefined ? option : `${option} ${place}`;
}

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

/** The value read from options; wrong usage if there are problems. */
export function required<T>(read: Read<T>): T {
  if ('value' in read) return read.value;
  refuseProblems(read.problems);
  throw new Error('nothing was read, and nothing is wrong');
}

/** Refuses a label whose link is missing: it would be stored, and shown nowhere. */
export function requireLink({ linkLabel, link, translations }: PlainValues, before?: PlainValues): void {
  const hasLink = Boolean(link ?? before?.link) || (translations ?? before?.translations) !== undefined;
  if (typeof linkLabel === 'string' && !hasLink)
    throw new UsageError('--link-label needs --link: it is the words of the link');
}

export function requireId(id: string | undefined): string {
  if (id !== undefined) return id;
  throw new UsageError('the id of the announcement is missing; see typebadge announce list');
}

/** The message as given: the words, or all of standard input for `-`; undefined if there is none. */
export async function readMessage(words: readonly string[], io: CommandIo): Promise<string | undefined> {
  const [message, ...more] = words;
  if (more.length === 0) return message === '-' ? readInput(io, 'any message may be') : message;
  throw new UsageError(
    `the message arrived as ${words.length} arguments; put it in quotes: "${words.join(' ')}"`,
  );
}

/** An edit, or a new announcement, as the API expects it. A `--no-…` option is false here, null in JSON. */
export function changeBody(
  values: PlainValues,
  { published, expires }: { readonly published?: number | undefined; readonly expires?: number | undefined },
  now: number,
): object {
  const plain = plainNames.map((name) => {
    const value = values[name];
    return [name, fieldOf(name).kind === 'flag' ? value : withoutFalse(value)];
  });
  const end = expires === undefined ? undefined : instantText(expires);
  return { ...Object.fromEntries(plain), at: startText(published, now), expires: end };
}

/** The current second is sent as `now`: it may be in the past when it reaches the server. */
export function startText(instant: number | undefined, now: number): string | undefined {
  const text = instant === undefined ? undefined : instantText(instant);
  return text === instantText(now) ? 'now' : text;
}

function withoutFalse(value: unknown): unknown {
  if (value === false) return null;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutFalse(part)]));
}
