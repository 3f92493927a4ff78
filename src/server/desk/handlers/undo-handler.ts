import type { HistoryFile } from '../../../announcements/announcement.ts';
import { undo } from '../../../announcements/changes/history-undo.ts';
import { findListed } from '../../../announcements/listing.ts';
import { type UndoneAnswer, UndoRequestSchema } from '../../../contract/desk-types.ts';
import { toJsonReply } from '../../http/replies/reply.ts';
import { refused } from '../refusals/desk-refusals.ts';
import { toRequestMark } from '../requests/request-mark.ts';
import type { ChangeOptions } from './change-handlers.ts';
import { readDeskBody } from './desk-body.ts';
import { type EditorHandler, tagOf } from './own-request.ts';
import { type ChangeAttempt, changeOnce, toStamp } from './replayed-change.ts';

/** Undoes a change of any editor; the log records who undid it. */
export function createUndoHandler({ desk, clock, onChange }: ChangeOptions): EditorHandler {
  return async (request) => {
    const { context, editor } = request;
    const { body, raw } = await readDeskBody(request, UndoRequestSchema);
    const { change } = body;
    const now = clock();
    const mark = toRequestMark(context, editor, raw);
    const stamp = toStamp(editor.name, now, mark);
    const { answer, isReplay, revision } = await changeOnce<UndoneAnswer>(desk, {
      context,
      mark,
      now,
      apply: (history) => toAttempt(undo(history, change, stamp), now),
      replay: (history, number) => toReplay(history, number, now),
    });
    if (!isReplay) await onChange(request, `change ${answer.change} undid change ${answer.undone}`);
    return toJsonReply(200, answer, tagOf(revision));
  };
}

function toAttempt(undone: ReturnType<typeof undo>, now: number): ChangeAttempt<UndoneAnswer> {
  if ('problem' in undone) return { refusal: refused(undone.problem) };
  const { history, number, undoneNumber } = undone;
  const announcement = findListed(history, undone.undone.id, now) ?? null;
  const answer = { announcement, change: number, undone: undoneNumber, by: undone.undone.by };
  return { history, answer, isReplay: false };
}

function toReplay(history: HistoryFile, number: number, now: number): ChangeAttempt<UndoneAnswer> {
  const { id = '', undoes = 0 } = history.changes[number - 1] ?? {};
  const by = history.changes[undoes - 1]?.by ?? '';
  const announcement = findListed(history, id, now) ?? null;
  return { history, answer: { announcement, change: number, undone: undoes, by }, isReplay: true };
}
