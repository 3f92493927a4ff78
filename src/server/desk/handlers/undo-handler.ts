import type { HistoryFile } from '../../../announcements/announcement.ts';
import { undo } from '../../../announcements/history-undo.ts';
import { findListed } from '../../../announcements/listing.ts';
import { type UndoneAnswer, UndoRequestSchema } from '../../../contract/desk-types.ts';
import { toJsonReply } from '../../http/replies/reply.ts';
import { readJsonObject } from '../../http/requests/json-body.ts';
import { parseRequest } from '../../http/requests/parse-request.ts';
import { type DeskError, refused } from '../refusals/desk-refusals.ts';
import { findReplay, toRequestMark } from '../requests/request-mark.ts';
import type { ChangeOptions } from './change-handlers.ts';
import { type EditorHandler, findConflict, longestBody, tagOf } from './own-request.ts';

type Run =
  | { readonly history: HistoryFile; readonly answer: UndoneAnswer; readonly isReplay: boolean }
  | { readonly refusal: DeskError };

/** Takes back a change, of whichever editor: who does so is in the log. */
export function createUndoHandler({ desk, clock, onChange }: ChangeOptions): EditorHandler {
  return async (request) => {
    const { context, editor } = request;
    const raw = await readJsonObject(context, { maxBytes: longestBody });
    const { change } = parseRequest(UndoRequestSchema, raw);
    const now = clock();
    const mark = toRequestMark(context, editor, raw);
    const stamp = { by: editor.name, at: now, ...(mark === undefined ? {} : { request: mark }) };
    const { outcome, revision } = await desk.update((seen): Run => {
      const replay = findReplay(seen.history.changes, mark, now);
      if (replay !== undefined)
        return 'refusal' in replay ? replay : toReplay(seen.history, replay.number, now);
      const conflict = findConflict(context, seen);
      if (conflict !== undefined) return { refusal: conflict };
      const undone = undo(seen.history, change, stamp);
      if ('problem' in undone) return { refusal: refused(undone.problem) };
      const { history, number, undoneNumber } = undone;
      const announcement = findListed(history, undone.undone.id, now) ?? null;
      const answer = { announcement, change: number, undone: undoneNumber, by: undone.undone.by };
      return { history, answer, isReplay: false };
    });
    if ('refusal' in outcome) throw outcome.refusal;
    const { answer, isReplay } = outcome;
    if (!isReplay) await onChange(request, `change ${answer.change} undid change ${answer.undone}`);
    return toJsonReply(200, answer, tagOf(revision));
  };
}

function toReplay(history: HistoryFile, number: number, now: number): Run {
  const { id = '', undoes = 0 } = history.changes[number - 1] ?? {};
  const by = history.changes[undoes - 1]?.by ?? '';
  const announcement = findListed(history, id, now) ?? null;
  return { history, answer: { announcement, change: number, undone: undoes, by }, isReplay: true };
}
