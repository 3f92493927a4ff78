import { addSpan, parseSpan } from '../../announcements/times/span.ts';
import { UsageError } from '../program/command-errors.ts';
import { type AnnouncementJson, endOf } from './announcement-json.ts';

/** Which announcements of a list somebody wants. */
export interface ChoiceOptions {
  /** `active`, `scheduled` or `past`. */
  readonly state?: string;
  /** Words that each one has to have somewhere, in any case. */
  readonly search?: string;
  /** A span: active ones that end within it. */
  readonly ending?: string;
}

const states = ['active', 'scheduled', 'past'] as const;

/** Whether an announcement is wanted. `now` in epoch milliseconds; a span counts days of that zone's calendar. */
export function createChoice(
  { state, search = '', ending }: ChoiceOptions,
  now: number,
  zone: string,
): (announcement: AnnouncementJson) => boolean {
  if (state !== undefined && !states.some((known) => known === state))
    throw new UsageError(`--state takes ${states.slice(0, -1).join(', ')} or past, not "${state}"`);
  const end = ending === undefined ? undefined : readEnd(ending, now, zone);
  const words = search
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  return (announcement) =>
    (state === undefined || stateGroupOf(announcement) === state) &&
    (end === undefined || (announcement.state === 'active' && Date.parse(endOf(announcement)) <= end)) &&
    hasWords(announcement, words);
}

function readEnd(ending: string, now: number, zone: string): number {
  const span = parseSpan(ending.trim());
  if (span === undefined) throw new UsageError(`--ending takes a span such as 7d or 12h, not "${ending}"`);
  return addSpan(now, span, zone);
}

function stateGroupOf({ state }: AnnouncementJson): string {
  return state === 'active' || state === 'scheduled' ? state : 'past';
}

/** In its id, its words in any language, its links, and whom it is for. */
function hasWords(announcement: AnnouncementJson, words: readonly string[]): boolean {
  if (words.length === 0) return true;
  const { id, message, link, linkLabel, translations, audience } = announcement;
  const texts = [
    ...[id, message, link, linkLabel ?? ''],
    ...Object.entries(translations ?? {}).flatMap(([tag, said]) => [tag, ...Object.values(said)]),
    ...[...(audience?.sites ?? []), ...(audience?.paths ?? [])],
  ];
  const all = texts.join('\n').toLowerCase();
  return words.every((word) => all.includes(word));
}
