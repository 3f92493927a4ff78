import { OriginRequestSchema } from '../../../contract/desk-types.ts';
import { parseOriginPattern } from '../../../kit/origin-pattern.ts';
import { type Reply, toJsonReply } from '../../http/replies/reply.ts';
import { isMatchHit } from '../../http/replies/representation.ts';
import type { Context } from '../../http/requests/context.ts';
import type { Content } from '../../stores/content/content.ts';
import { type ContentStore, createContentStore } from '../../stores/content/content-store.ts';
import type { MarkedRequest } from '../../stores/content/origins-file.ts';
import { changedMeanwhile, type DeskError, invalid, refused } from '../refusals/desk-refusals.ts';
import { findReplay, rememberRequest, toRequestMark } from '../requests/request-mark.ts';
import { toOriginsRevision } from '../revisions/origins-revision.ts';
import type { ChangeOptions } from './change-handlers.ts';
import { readDeskBody } from './desk-body.ts';
import { type EditorHandler, type EditorRequest, tagOf } from './own-request.ts';
import { attemptOnce } from './replayed-change.ts';

export interface OriginOptions extends Pick<ChangeOptions, 'clock' | 'onChange'> {
  readonly content: Content;
}

interface OriginChange {
  readonly origins: readonly string[];
  readonly requests?: readonly MarkedRequest[];
  /** Whether the list has changed. */
  readonly isNew: boolean;
}

type OriginAttempt = OriginChange | { readonly refusal: DeskError };

/** The allow-list. Adding an existing entry changes nothing. */
export function createOriginHandlers({ content, clock, onChange }: OriginOptions) {
  const store: ContentStore = createContentStore(content);

  /** Makes a change once, however often its request arrives, and only if the list is the one that `If-Match` names. */
  const change = (request: EditorRequest, mark: string | undefined, apply: OriginRule) => {
    const now = clock();
    return store.updateOrigins((origins, requests): OriginAttempt => {
      const attempt = attemptOnce<OriginAttempt>({
        earlier: findReplay(requests, mark, now),
        replay: () => ({ origins, isNew: false }),
        conflict: () => findOriginsConflict(request.context, origins),
        apply: () => apply(origins),
      });
      if (mark === undefined || 'refusal' in attempt || findReplay(requests, mark, now) !== undefined)
        return attempt;
      const present = { request: mark, at: new Date(now).toISOString() };
      return { ...attempt, requests: rememberRequest(requests, present) };
    });
  };

  const list: EditorHandler = async () => {
    const patterns = await store.readOrigins();
    return toReply(patterns.map(({ entry }) => entry));
  };

  const add: EditorHandler = async (request) => {
    const { entry, raw } = await readEntry(request);
    const mark = toRequestMark(request.context, request.editor, raw);
    const outcome = await change(request, mark, (origins) =>
      origins.includes(entry) ? { origins, isNew: false } : { origins: [...origins, entry], isNew: true },
    );
    if ('refusal' in outcome) throw outcome.refusal;
    if (outcome.isNew) await onChange(request, `origin ${entry} added`);
    return toReply(outcome.origins);
  };

  const remove: EditorHandler = async (request) => {
    const { entry } = await readEntry(request);
    const outcome = await change(request, undefined, (origins) =>
      origins.includes(entry)
        ? { origins: origins.filter((other) => other !== entry), isNew: true }
        : { refusal: refused(`${entry} is not on the list; typebadge origins list shows it`) },
    );
    if ('refusal' in outcome) throw outcome.refusal;
    await onChange(request, `origin ${entry} removed`);
    return toReply(outcome.origins);
  };

  return { list, add, remove };
}

/** Applies a request to the list; has no effects, because it may run again. */
type OriginRule = (origins: readonly string[]) => OriginAttempt;

function toReply(origins: readonly string[]): Reply {
  return toJsonReply(200, { origins }, tagOf(toOriginsRevision(origins)));
}

function findOriginsConflict({ head }: Context, origins: readonly string[]): DeskError | undefined {
  const { ifMatch } = head;
  const revision = toOriginsRevision(origins);
  if (ifMatch === undefined || isMatchHit(ifMatch, `"${revision}"`)) return undefined;
  return changedMeanwhile('the allow-list is not the one that If-Match names', revision);
}

/** Normalises an entry to the spelling that browsers send, so that no site is on the list twice. */
async function readEntry(request: EditorRequest): Promise<{ readonly entry: string; readonly raw: unknown }> {
  const { body, raw } = await readDeskBody(request, OriginRequestSchema);
  const pattern = parseOriginPattern(body.origin);
  if ('problem' in pattern) throw invalid(pattern.problem);
  return { entry: pattern.entry, raw };
}
