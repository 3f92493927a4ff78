import type { Change } from '../announcement.ts';
import { undoneBy } from './history-undo.ts';

/** The whole log, oldest first. */
export function numberedChanges(changes: readonly Change[]) {
  const undone = undoneBy(changes);
  return changes.map(({ request: _, ...change }, at) => ({
    number: at + 1,
    ...change,
    undoes: change.undoes ?? null,
    /** Number of the undo that is in effect; null if there is none. */
    undoneBy: undone[at] ?? null,
  }));
}
export type NumberedChange = Readonly<ReturnType<typeof numberedChanges>[number]>;

const verbs = { publish: 'published', edit: 'edited', expire: 'ended', withdraw: 'withdrew' } as const;

/** `edited 2026-003`, `undid change 7 on 2026-003`. */
export function describeChange({
  action,
  id,
  undoes,
}: Pick<Change, 'action' | 'id'> & { readonly undoes?: number | null }): string {
  return action === 'undo' ? `undid change ${undoes} on ${id}` : `${verbs[action]} ${id}`;
}

const maxEditorName = 100;

/** Checks the name that is recorded in the log as the author of a change. */
export function parseEditorName(text: string): { name: string } | { problem: string } {
  const name = text.trim();
  const isName =
    name !== '' &&
    name.length <= maxEditorName &&
    !/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\p{Surrogate}]/u.test(name);
  return isName ? { name } : { problem: `must be 1 to ${maxEditorName} characters on one line` };
}
