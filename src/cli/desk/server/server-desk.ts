import { startProblem } from '../../../announcements/changes/history-edit.ts';
import type { Stats } from '../../../announcements/reader-statistics.ts';
import { toInstantText } from '../../../announcements/times/instant.ts';
import {
  type ChangedAnnouncement,
  ChangedAnnouncementSchema,
  OriginListSchema,
  ReaderStatisticsSchema,
  type UndoneAnswer,
  UndoneSchema,
} from '../../../contract/desk-types.ts';
import { RefusedError } from '../../program/command-errors.ts';
import { findConflict } from '../port/change-request.ts';
import type { ChangeRequest, Desk, DeskChange } from '../port/desk.ts';
import { missingOrigins } from '../port/refused-outcome.ts';
import { checkShape } from './answer-shape.ts';
import { toDeskChange, toUndone } from './answered-change.ts';
import { idOf, toQuestion } from './change-question.ts';
import { type DeskClient, ServerRefusal } from './desk-client.ts';
import { readWholeHistory, type WholeHistory } from './whole-history.ts';

/** How often a change is sent again because others were faster with announcements that it does not touch. */
const mostTurns = 5;

/** A desk on a server elsewhere. @param server scheme and host */
export function createServerDesk(server: string, client: DeskClient): Desk {
  let editor: string | undefined;
  const read = async (): Promise<WholeHistory> => {
    const whole = await readWholeHistory(client);
    editor = whole.editor;
    return whole;
  };
  const readOrigins = async () => {
    const { value } = await client.ask<{ origins: readonly string[] }>({ path: '/origins' });
    checkShape(value, OriginListSchema, 'list of sites');
    return value.origins;
  };

  return {
    place: { kind: 'server', name: server },
    counters: `of ${server}`,
    read,
    editor: async () => editor ?? (await read()).editor,
    change: (request, now) => change({ client, read }, request, now),
    async undo(number, now) {
      const { history: before, editor: by } = await read();
      const { value, date = now } = await client.ask<UndoneAnswer>({
        method: 'POST',
        path: '/announcements/undo',
        body: { change: number },
      });
      checkShape(value, UndoneSchema, 'report of what was undone');
      return { undone: toUndone(before, value, by, date), before };
    },
    async stats(days, id) {
      const { value } = await client.ask<Stats>({
        path: `/announcements/stats?days=${days}${id === undefined ? '' : `&id=${encodeURIComponent(id)}`}`,
      });
      checkShape(value, ReaderStatisticsSchema, 'statistics');
      return value;
    },
    origins: readOrigins,
    async addOrigins(entries) {
      const before = await readOrigins();
      const added = [...new Set(entries)].filter((entry) => !before.includes(entry));
      for (const origin of added) await client.ask({ method: 'POST', path: '/origins', body: { origin } });
      return { added, origins: added.length === 0 ? before : await readOrigins() };
    },
    async removeOrigins(entries) {
      const problem = missingOrigins(entries, await readOrigins());
      if (problem !== undefined) throw new RefusedError(problem);
      for (const origin of entries)
        await client.ask({ method: 'DELETE', path: '/origins', body: { origin } });
      return readOrigins();
    },
    // It has answered, and reads what it has just written before it answers.
    views: async () => [{ url: server, content: null, shows: true, isSame: true, kind: 'folder' }],
  };
}

/** A server, and how its history is read. */
interface HistorySource {
  readonly client: DeskClient;
  readonly read: () => Promise<WholeHistory>;
}

async function change(
  { client, read }: HistorySource,
  request: ChangeRequest,
  now: number,
): Promise<DeskChange> {
  // By the clock that the start was written by: to a server whose clock is behind, it could still be to come.
  const problem =
    request.kind === 'publish'
      ? startProblem(toInstantText(request.draft.published), toInstantText(now))
      : undefined;
  if (problem !== undefined) throw new RefusedError(problem);
  let present = await read();
  for (let turn = 0; ; turn += 1) {
    const seen = request.kind === 'edit' ? request.seen : undefined;
    const conflict = seen && findConflict(seen, present.history, idOf(request));
    if (conflict !== undefined) throw new RefusedError(conflict);
    try {
      const ifMatch = seen === undefined ? undefined : present.revision;
      const { value, date } = await client.ask<ChangedAnnouncement>({
        ...toQuestion(request, now),
        ifMatch,
      });
      checkShape(value, ChangedAnnouncementSchema, 'announcement as it is now');
      return toDeskChange(present, request, value, date ?? now);
    } catch (error) {
      const isLate = error instanceof ServerRefusal && error.code === 'CHANGED_MEANWHILE';
      if (!isLate || turn === mostTurns) throw error;
      present = await read();
    }
  }
}
