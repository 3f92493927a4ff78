import { isListed } from '../../announcements/listed-sites.ts';
import { newFieldProblem } from '../../announcements/plain-values.ts';
import {
  explainPlace,
  nextActiveChange,
  parseReader,
  type Reader,
  type ReaderEntry,
  readerEntries,
} from '../../announcements/reader-view.ts';
import { instantText } from '../../announcements/times/instant.ts';
import { parseStart } from '../../announcements/times/moment.ts';
import type { Preview } from '../../contract/desk-types.ts';
import type { DeskParts } from './desk-history.ts';
import { fieldError } from './desk-refusals.ts';
import { answerOf, type DeskAnswer, type DeskRequest, parseQuery } from './desk-request.ts';

/** The request that asks what a reader of a page sees, and why. */
export function createDeskPreview({ store, clock }: DeskParts) {
  return async (request: DeskRequest): Promise<DeskAnswer> => {
    const { at, ...page } = parseQuery(request);
    const read = parseReader(page);
    if ('problem' in read) throw fieldError([read.problem]);
    const now = clock();
    const moment = at === undefined ? { instant: now } : parseStart(at, { zone: 'UTC', now });
    if ('problem' in moment) throw fieldError([newFieldProblem('at', moment)]);
    const { reader } = read;
    const history = await store.readHistory();
    const origins = (await store.readOrigins()).map(({ entry }) => entry);
    const isAllowed = reader.site === undefined ? undefined : isListed(reader.site, origins);
    const next = nextActiveChange(history, moment.instant);
    const body: Preview = {
      at: instantText(moment.instant),
      ...whatIsShown(readerEntries(history, reader, moment.instant), reader, isAllowed),
      siteListed: isAllowed ?? null,
      next: next === undefined ? null : instantText(next),
    };
    return answerOf(body);
  };
}

function whatIsShown(
  entries: readonly ReaderEntry[],
  reader: Reader,
  isAllowed: boolean | undefined,
): Pick<Preview, 'announcement' | 'reason' | 'others'> {
  const ranked = entries.map((entry, rank) => ({ entry, ...readerEntry(entry, rank, reader) }));
  const first = isAllowed === false ? undefined : ranked.find(({ place }) => place === 'shown');
  const others = ranked.filter((each) => each !== first).map(({ entry: _, ...each }) => each);
  if (first === undefined) {
    const reason =
      isAllowed === false
        ? `${reader.site} is not on the allow-list, so readers there see only the logo.`
        : entries.length === 0
          ? 'No announcement is active.'
          : 'No active announcement is for this page.';
    return { announcement: null, reason, others };
  }
  const { entry, ...shown } = first;
  const fields = Object.entries(entry.presentation).filter(([, value]) => value !== undefined);
  const announcement = { ...shown, ...Object.fromEntries(fields) } as NonNullable<Preview['announcement']>;
  return { announcement, reason: `${shown.id} is ${shown.reason}.`, others };
}

function readerEntry(entry: ReaderEntry, rank: number, reader: Reader): Preview['others'][number] {
  return {
    id: entry.announcement.id,
    message: entry.presentation.message,
    rank,
    place: entry.place,
    after: entry.after ?? null,
    translated: entry.isTranslated,
    reason: explainPlace(entry, reader),
  };
}
