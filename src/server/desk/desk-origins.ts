import { OriginRequestSchema } from '../../contract/desk-types.ts';
import { parseOriginPattern } from '../../kit/origin-pattern.ts';
import { isMatchHit } from '../http/representation.ts';
import { type DeskParts, originsRevision } from './desk-history.ts';
import { changedMeanwhile, type DeskError, invalid, refused } from './desk-refusals.ts';
import { answerOf, type DeskAnswer, type DeskRequest, parseBody } from './desk-request.ts';

/** The requests about the allow-list. Adding an existing entry changes nothing. */
export function createDeskOrigins({ store }: DeskParts) {
  /** Makes a change, if `If-Match` names the current list. `apply` has no effects: it may run again. */
  const change = async (
    request: DeskRequest,
    what: string,
    apply: (origins: readonly string[]) => readonly string[] | DeskError,
  ): Promise<DeskAnswer> => {
    const outcome = await store.updateOrigins((before) => {
      const after = findConflict(request.ifMatch, before) ?? apply(before);
      return after instanceof Error ? { refusal: after } : { origins: after, isNew: after !== before };
    });
    if ('refusal' in outcome) throw outcome.refusal;
    return answer(outcome.origins, outcome.isNew ? what : undefined);
  };

  return {
    async listOrigins(): Promise<DeskAnswer> {
      const patterns = await store.readOrigins();
      return answer(patterns.map(({ entry }) => entry));
    },
    async addOrigin(request: DeskRequest): Promise<DeskAnswer> {
      const entry = readEntry(request);
      return change(request, `origin ${entry} added`, (origins) =>
        origins.includes(entry) ? origins : [...origins, entry],
      );
    },
    async removeOrigin(request: DeskRequest): Promise<DeskAnswer> {
      const entry = readEntry(request);
      return change(request, `origin ${entry} removed`, (origins) =>
        origins.includes(entry)
          ? origins.filter((other) => other !== entry)
          : refused(`${entry} is not on the list; typebadge origins list shows it`),
      );
    },
  };
}

function answer(origins: readonly string[], changed?: string): DeskAnswer {
  return answerOf({ origins }, originsRevision(origins), changed);
}

function findConflict(ifMatch: string | undefined, origins: readonly string[]): DeskError | undefined {
  const revision = originsRevision(origins);
  if (ifMatch === undefined || isMatchHit(ifMatch, `"${revision}"`)) return undefined;
  return changedMeanwhile('the allow-list is not the one that If-Match names', revision);
}

/** Normalises an entry to the spelling that browsers send, so that no site is on the list twice. */
function readEntry(request: DeskRequest): string {
  const pattern = parseOriginPattern(parseBody(OriginRequestSchema, request).origin);
  if ('problem' in pattern) throw invalid(pattern.problem);
  return pattern.entry;
}
