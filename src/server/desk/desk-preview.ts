import { isListed } from '../../announcements/listed-sites.ts';
import { newFieldProblem } from '../../announcements/plain-values.ts';
import { nextActiveChange, parseReader, readerEntries } from '../../announcements/reader-view.ts';
import { instantText } from '../../announcements/times/instant.ts';
import { parseStart } from '../../announcements/times/moment.ts';
import type { Preview } from '../../contract/desk-types.ts';
import type { DeskParts } from './desk-history.ts';
import { fieldError, required } from './desk-refusals.ts';
import { answerOf, type DeskAnswer, type DeskRequest, parseQuery } from './desk-request.ts';

/** The request that asks what a reader of a page sees, and why. */
export function createDeskPreview({ store, clock }: DeskParts) {
  return async (request: DeskRequest): Promise<DeskAnswer> => {
    const { at = 'now', ...page } = parseQuery(request);
    const reader = required(parseReader(page));
    const moment = parseStart(at, { zone: 'UTC', now: clock() });
    if ('problem' in moment) throw fieldError([newFieldProblem('at', moment)]);
    const { instant } = moment;
    const history = await store.readHistory();
    const origins = (await store.readOrigins()).map(({ entry }) => entry);
    const siteListed = reader.site === undefined ? null : isListed(reader.site, origins);
    const entries = readerEntries(history, reader, instant);
    const shown = siteListed === false ? undefined : entries.find(({ entry }) => entry.place === 'shown');
    const reason =
      siteListed === false
        ? `${reader.site} is not on the allow-list, so readers there see only the logo.`
        : entries.length === 0
          ? 'No announcement is active.'
          : 'No active announcement is for this page.';
    const words = Object.entries(shown?.words ?? {}).filter(([, value]) => value !== undefined);
    const next = nextActiveChange(history, instant);
    const body: Preview = {
      at: instantText(instant),
      announcement:
        shown === undefined
          ? null
          : ({ ...shown.entry, ...Object.fromEntries(words) } as NonNullable<Preview['announcement']>),
      reason: shown === undefined ? reason : `${shown.entry.id} is ${shown.entry.reason}.`,
      others: entries.filter((each) => each !== shown).map(({ entry }) => entry),
      siteListed,
      next: next === undefined ? null : instantText(next),
    };
    return answerOf(body);
  };
}
