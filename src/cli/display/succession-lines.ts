import type { HistoryFile } from '../../announcements/announcement.ts';
import { stateAt } from '../../announcements/schedule.ts';
import { replacedBy, successorOf } from '../../announcements/succession.ts';
import type { Paint } from '../output/paint.ts';
import { labelled } from './announcement-lines.ts';
import { type EditorClock, toDatedText } from './moments.ts';

/** Which announcement comes before and after one that is active or scheduled: its own times do not say so. */
export function describeSuccession(
  history: HistoryFile,
  id: string,
  clock: EditorClock,
  paint: Paint,
  columns: number,
): string[] {
  const entry = history.announcements.find((each) => each.id === id);
  if (entry === undefined) return [];
  const { state } = stateAt(history, entry, clock.now);
  const before = state === 'scheduled' ? replacedBy(history, entry) : [];
  const next = state === 'scheduled' || state === 'active' ? successorOf(history, entry) : undefined;
  const rows: [string, string][] = [];
  if (before.length > 0) rows.push(['Instead of', before.map((each) => each.id).join(', ')]);
  if (next !== undefined) rows.push(['Replaced', `by ${next.id} at ${toDatedText(next.published, clock)}`]);
  return rows.flatMap(([label, value]) => labelled(label, value, paint, columns));
}
