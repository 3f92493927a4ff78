import type { Action, HistoryFile, StoredAnnouncement } from '../../../announcements/announcement.ts';
import type { Undone } from '../../../announcements/changes/history-undo.ts';
import { fieldOf } from '../../../announcements/fields.ts';
import { type PlainValues, plainNames } from '../../../announcements/plain-values.ts';
import type { Stats } from '../../../announcements/reader-statistics.ts';
import { toInstantText } from '../../../announcements/times/instant.ts';
import type { ChangedAnnouncement, UndoneAnswer } from '../../../contract/desk-types.ts';
import { RefusedError } from '../../program/command-errors.ts';
import { findConflict } from '../port/change-request.ts';
import type { ChangeRequest, Desk, DeskChange } from '../port/desk.ts';
import { missingOrigins } from '../port/refused-outcome.ts';
import { type DeskClient, type DeskQuestion, ServerRefusal } from './desk-client.ts';
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
  const readOrigins = async () =>
    (await client.ask<{ origins: readonly string[] }>({ path: '/origins' })).value.origins;

  const change = async (request: ChangeRequest, now: number): Promise<DeskChange> => {
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
        return toDeskChange(present, request, value, date ?? now);
      } catch (error) {
        const isLate = error instanceof ServerRefusal && error.code === 'CHANGED_MEANWHILE';
        if (!isLate || turn === mostTurns) throw error;
        present = await read();
      }
    }
  };

  return {
    place: { kind: 'server', name: server },
    counters: `of ${server}`,
    read,
    editor: async () => editor ?? (await read()).editor,
    change,
    async undo(number, now) {
      const { history: before, editor: by } = await read();
      const { value, date = now } = await client.ask<UndoneAnswer>({
        method: 'POST',
        path: '/announcements/undo',
        body: { change: number },
      });
      return { undone: toUndone(before, value, by, date), before };
    },
    async stats(days, id) {
      const { value } = await client.ask<Stats>({
        path: `/announcements/stats?days=${days}${id === undefined ? '' : `&id=${encodeURIComponent(id)}`}`,
      });
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

function idOf(request: ChangeRequest): string {
  return request.kind === 'publish' ? '' : request.id;
}

function toQuestion(request: ChangeRequest, now: number): DeskQuestion {
  const path = `/announcements/${encodeURIComponent(idOf(request))}`;
  switch (request.kind) {
    case 'publish': {
      const { published, expires, id, ...values } = request.draft;
      // Now is when the server gets it: its clock may be behind this one.
      const isLater = published > now;
      const at = isLater ? { at: toInstantText(published) } : {};
      const end =
        request.isSpan === true && !isLater ? toSpanText(expires - published) : toInstantText(expires);
      const body = { ...toJson(values), ...at, expires: end, id };
      return { method: 'POST', path: '/announcements', body };
    }
    case 'edit': {
      const { published, expires, ...values } = request.changes;
      const times = { at: toText(published), expires: toText(expires) };
      return { method: 'PATCH', path, body: { ...toJson(values), ...times } };
    }
    case 'expire':
      return { method: 'POST', path: `${path}/expire`, body: { at: toText(request.at) } };
    case 'withdraw':
      return { method: 'POST', path: `${path}/withdraw`, body: {} };
  }
}

/** Days of 24 hours, as in UTC, and seconds. */
function toSpanText(milliseconds: number): string {
  const seconds = Math.round(milliseconds / 1000);
  return `+${Math.floor(seconds / 86_400)}d${seconds % 86_400}s`;
}

function toText(instant: number | undefined): string | undefined {
  return instant === undefined ? undefined : toInstantText(instant);
}

/** What `--no-…` says is false here, and null on the wire. */
function toJson(values: PlainValues): object {
  return Object.fromEntries(
    plainNames.map((name) => {
      const value = values[name];
      return [name, fieldOf(name).kind === 'flag' ? value : withoutFalse(value)];
    }),
  );
}

function withoutFalse(value: unknown): unknown {
  if (value === false) return null;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, withoutFalse(part)]));
}

const actions: Readonly<Record<ChangeRequest['kind'], Action>> = {
  publish: 'publish',
  edit: 'edit',
  expire: 'expire',
  withdraw: 'withdraw',
};

function toDeskChange(
  { history: before, editor }: WholeHistory,
  request: ChangeRequest,
  { state: _, change, warnings, ...entry }: ChangedAnnouncement,
  now: number,
): DeskChange {
  const history =
    change === null ? before : withEntry(before, entry, { action: actions[request.kind], by: editor, now });
  return { made: { history, entry, number: change ?? undefined, warnings }, before, now };
}

function toUndone(
  before: HistoryFile,
  { announcement, change: number, undone: undoneNumber }: UndoneAnswer,
  by: string,
  now: number,
): Undone {
  const undone = before.changes[undoneNumber - 1];
  if (undone === undefined) throw new RefusedError('the log of the server has changed meanwhile; try again');
  const { id } = undone;
  if (announcement !== null) {
    const { state: _, ...entry } = announcement;
    return {
      history: withEntry(before, entry, { action: 'undo', by, now }),
      number,
      undone,
      undoneNumber,
      entry,
    };
  }
  const announcements = before.announcements.filter((entry) => entry.id !== id);
  return { history: { ...before, announcements }, number, undone, undoneNumber, entry: null };
}

/** The announcements after the change, as far as this change goes. */
function withEntry(
  before: HistoryFile,
  entry: StoredAnnouncement,
  { action, by, now }: { readonly action: Action; readonly by: string; readonly now: number },
): HistoryFile {
  const old = before.announcements.find(({ id }) => id === entry.id) ?? null;
  const announcements =
    old === null
      ? [...before.announcements, entry]
      : before.announcements.map((other) => (other === old ? entry : other));
  const made = { at: toInstantText(now), by, action, id: entry.id, before: old, after: entry };
  return { ...before, announcements, changes: [...before.changes, made] };
}
