import type { InferOutput } from 'valibot';
import type { HistoryFile } from '../../../announcements/announcement.ts';
import {
  type EditOutcome,
  edit,
  expire,
  publish,
  type Stamp,
  withdraw,
} from '../../../announcements/changes/history-edit.ts';
import { findListed } from '../../../announcements/listing.ts';
import {
  type ChangedAnnouncement,
  EditRequestSchema,
  ExpireRequestSchema,
  PublishRequestSchema,
  WithdrawRequestSchema,
} from '../../../contract/desk-types.ts';
import { type Reply, toJsonReply } from '../../http/replies/reply.ts';
import { invalid, notFound, refused } from '../refusals/desk-refusals.ts';
import { toDraft, toEdit, toEnd } from '../requests/announcement-request.ts';
import { toRequestMark } from '../requests/request-mark.ts';
import type { DeskHistory } from '../revisions/desk-history.ts';
import { type BodySchema, readDeskBody } from './desk-body.ts';
import { type EditorHandler, type EditorRequest, tagOf } from './own-request.ts';
import { type ChangeAttempt, changeOnce, toStamp } from './replayed-change.ts';

export interface ChangeOptions {
  readonly desk: DeskHistory;
  readonly clock: () => number;
  /** Called after each change, with its description for the log. */
  readonly onChange: (request: EditorRequest, what: string) => Promise<void>;
}

interface Rule<Schema extends BodySchema> {
  readonly schema: Schema;
  readonly status: 200 | 201;
  /** Applies the request to the announcements; has no effects, because it may run again. */
  readonly apply: (
    history: HistoryFile,
    request: { readonly body: InferOutput<Schema>; readonly id: string },
    stamp: Stamp,
  ) => EditOutcome | { readonly invalid: string };
}

type Attempt = ChangeAttempt<ChangedAnnouncement>;

/** The handlers that change one announcement. */
export function createChangeHandlers({ desk, clock, onChange }: ChangeOptions) {
  const handlerOf =
    <Schema extends BodySchema>(rule: Rule<Schema>): EditorHandler =>
    async (request) => {
      const { context, editor, id } = request;
      const { body: parsed, raw } = await readDeskBody(request, rule.schema);
      const body = withAllNames(parsed, raw);
      const now = clock();
      const mark = context.method === 'POST' ? toRequestMark(context, editor, raw) : undefined;
      const stamp = toStamp(editor.name, now, mark);
      const { answer, isReplay, revision } = await changeOnce<ChangedAnnouncement>(desk, {
        context,
        mark,
        now,
        apply: (history) => toAttempt(history, rule.apply(history, { body, id }, stamp), id, now),
        replay: (history, number) => toReplay(history, number, now),
      });
      if (answer.change !== null && !isReplay)
        await onChange(request, `change ${answer.change} on ${answer.id}`);
      return toReply(rule.status, answer, revision);
    };

  return {
    publish: handlerOf({
      schema: PublishRequestSchema,
      status: 201,
      apply(history, { body }, stamp) {
        const draft = toDraft(body, stamp.at);
        return 'problem' in draft ? { invalid: draft.problem } : publish(history, draft.value, stamp);
      },
    }),
    edit: handlerOf({
      schema: EditRequestSchema,
      status: 200,
      apply(history, { body, id }, stamp) {
        if (Object.keys(body).length === 0) return { invalid: 'the body contains no field to change' };
        const before = history.announcements.find((entry) => entry.id === id);
        const changes = toEdit(body, before, stamp.at);
        return 'problem' in changes ? { invalid: changes.problem } : edit(history, id, changes.value, stamp);
      },
    }),
    expire: handlerOf({
      schema: ExpireRequestSchema,
      status: 200,
      apply(history, { body, id }, stamp) {
        const end = toEnd(body.at, stamp.at);
        return 'problem' in end ? { invalid: end.problem } : expire(history, id, end.value, stamp);
      },
    }),
    withdraw: handlerOf({
      schema: WithdrawRequestSchema,
      status: 200,
      apply: (history, { id }, stamp) => withdraw(history, id, stamp),
    }),
  };
}

/** The schema silently drops names such as `__proto__` from nested objects; with the raw parts our own rules refuse them. */
function withAllNames<T>(body: T, raw: Readonly<Record<string, unknown>>): T {
  const nested = ['translations', 'audience'].filter((name) => Object.hasOwn(raw, name));
  return Object.assign({}, body, Object.fromEntries(nested.map((name) => [name, raw[name]])));
}

function toAttempt(
  history: HistoryFile,
  outcome: EditOutcome | { readonly invalid: string },
  id: string,
  now: number,
): Attempt {
  if ('invalid' in outcome) return { refusal: invalid(outcome.invalid) };
  if ('problem' in outcome) {
    const isThere = id === '' || history.announcements.some((entry) => entry.id === id);
    return { refusal: isThere ? refused(outcome.problem) : notFound(outcome.problem) };
  }
  const { entry, number = null, warnings } = outcome;
  return {
    history: outcome.history,
    answer: toAnswer(outcome.history, entry.id, now, number, warnings),
    isReplay: false,
  };
}

/** Repeats the first answer, but with the announcement as it is now. */
function toReplay(history: HistoryFile, number: number, now: number): Attempt {
  const { id = '', after = null } = history.changes[number - 1] ?? {};
  const present = findListed(history, id, now);
  if (present !== undefined)
    return { history, answer: toAnswer(history, id, now, number, []), isReplay: true };
  const gone: ChangedAnnouncement | undefined =
    after === null ? undefined : { ...after, state: 'withdrawn', change: number, warnings: [] };
  return gone === undefined
    ? { refusal: notFound(`there is no announcement ${id}`) }
    : { history, answer: gone, isReplay: true };
}

function toAnswer(
  history: HistoryFile,
  id: string,
  now: number,
  change: number | null,
  warnings: readonly string[],
): ChangedAnnouncement {
  const listed = findListed(history, id, now);
  if (listed === undefined) throw new Error(`the change lost ${id}`);
  return { ...listed, change, warnings };
}

function toReply(status: 200 | 201, answer: ChangedAnnouncement, revision: string): Reply {
  return toJsonReply(status, answer, tagOf(revision));
}
