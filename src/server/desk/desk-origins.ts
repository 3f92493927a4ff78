import { OriginRequestSchema } from '../../contract/desk-types.ts';
import { parseOriginPattern } from '../../kit/origin-pattern.ts';
import { isMatchHit } from '../http/representation.ts';
import { type DeskParts, originsRevision } from './desk-history.ts';
import { changedMeanwhile, invalid, refused } from './desk-refusals.ts';
import { answerOf, type DeskAnswer, type DeskRequest, parseBody } from './desk-request.ts';

/** The requests about the allow-list. Adding an existing entry changes nothing. */
export function createDeskOrigins({ store }: DeskParts) {
  /** Makes a change, if `If-Match` names the current list. `apply` has no effects: it may run again. */
  const change = async (
    { ifMatch }: DeskRequest,
    what: string,
    apply: (origins: readonly string[]) => readonly string[],
  ): Promise<DeskAnswer> => {
    const { origins, isNew } = await store.updateOrigins((before) => {
      const revision = originsRevision(before);
      if (ifMatch !== undefined && !isMatchHit(ifMatch, `"${revision}"`))
        throw changedMeanwhile('the allow-list is not the one that If-Match names', revision);
      const origins = apply(before);
      return { origins, isNew: origins !== before };
    });
    return answer(origins, isNew ? what : undefined);
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
      return change(request, `origin ${entry} removed`, (origins) => {
        if (origins.includes(entry)) return origins.filter((other) => other !== entry);
        throw refused(`${entry} is not on the list; typebadge origins list shows it`);
      });
    },
  };
}

function answer(origins: readonly string[], changed?: string): DeskAnswer {
  return answerOf({ origins }, originsRevision(origins), changed);
}

/** Normalises an entry to the spelling that browsers send, so that no site is on the list twice. */
function readEntry(request: DeskRequest): string {
  const pattern = parseOriginPattern(parseBody(OriginRequestSchema, request).origin);
  if ('problem' in pattern) throw invalid(pattern.problem);
  return pattern.entry;
}
