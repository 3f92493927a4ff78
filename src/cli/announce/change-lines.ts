import type { Change, StoredAnnouncement } from '../../server/badge/announcement.ts';
import { undoneBy } from '../../server/badge/history-undo.ts';
import type { Paint } from '../paint.ts';
import { fitTo, toTerminalText, wrap } from '../text-width.ts';
import { toClockText, toShortText } from './moments.ts';

/** A change as `--json` prints it. */
export interface NumberedChange extends Omit<Change, 'undoes'> {
  readonly number: number;
  readonly undoes: number | null;
  /** The undo that took it back and still stands. */
  readonly undoneBy: number | null;
}

export function numberedChanges(changes: readonly Change[]): NumberedChange[] {
  const undone = undoneBy(changes);
  return changes.map((change, at) => ({
    number: at + 1,
    ...change,
    undoes: change.undoes ?? null,
    undoneBy: undone[at] ?? null,
  }));
}

const tableIndent = 5 + 2 + 16 + 2 + 12 + 2;
const leastText = 30;

/** The header over changes; none where the terminal is too narrow for a table. */
export function changeHeader(columns: number): string[] {
  if (columns < tableIndent + leastText) return [];
  return [`${'#'.padStart(5)}  ${'WHEN'.padEnd(16)}  ${'WHO'.padEnd(12)}  WHAT`];
}

/** One change under that header, with what it changed below. */
export function toChangeLines(change: NumberedChange, zone: string, paint: Paint, columns: number): string[] {
  const isTable = columns >= tableIndent + leastText;
  const indent = isTable ? tableIndent : 7;
  const room = Math.max(12, columns - indent);
  const by = toTerminalText(change.by);
  const head = `${String(change.number).padStart(5)}  ${toShortText(change.at, zone)}  ${isTable ? `${fitTo(by, 12)}  ` : by}`;
  const undone = change.undoneBy === null ? '' : ` (undone by ${change.undoneBy})`;
  const style = change.undoneBy === null ? (text: string) => text : paint.dim;
  const what = wrap(`${describeChange(change)}${undone}`, room).map(style);
  const details = differences(change, zone).flatMap((text) => wrap(text, room).map(paint.dim));
  const below = [...what, ...details].map((text) => ' '.repeat(indent) + text);
  return isTable ? [style(head) + (below[0] ?? '').trimStart(), ...below.slice(1)] : [style(head), ...below];
}

const verbs = { publish: 'published', edit: 'edited', expire: 'ended', withdraw: 'withdrew' } as const;

/** `edited 2026-003`, `undid change 7`. */
export function describeChange({
  action,
  id,
  undoes,
}: Pick<NumberedChange, 'action' | 'id' | 'undoes'>): string {
  return action === 'undo' ? `undid change ${undoes} on ${id}` : `${verbs[action]} ${id}`;
}

const fields = ['message', 'link', 'published', 'expires', 'alongside', 'expired', 'withdrawn'] as const;
const instants = new Set<string>(['published', 'expires', 'expired', 'withdrawn']);

/** What a change did, where its name alone does not say it. */
function differences({ action, at, before, after }: NumberedChange, zone: string): string[] {
  if (action === 'publish' && after !== null) return [`“${toTerminalText(after.message)}”`];
  if (before === null || after === null || action === 'withdraw') return [];
  return fields
    .filter((field) => before[field] !== after[field] && !(field === 'expired' && after.expired === at))
    .map((field) => `${field}: ${toText(before, field, zone)} → ${toText(after, field, zone)}`);
}

function toText(entry: StoredAnnouncement, field: (typeof fields)[number], zone: string): string {
  const value = entry[field];
  if (value === undefined || value === '') return 'none';
  if (instants.has(field)) return toClockText(String(value), zone);
  return field === 'message' ? `“${toTerminalText(String(value))}”` : String(value);
}
