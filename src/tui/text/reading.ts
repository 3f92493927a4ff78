import type { App } from '../state/app-state.ts';
import { toDayLines } from './day-text.ts';
import { toHelpRows } from './help-text.ts';
import { toReportLines } from './report-text.ts';
import { toResultsLines } from './results-text.ts';
import { toRows } from './text-layout.ts';

/** Whether the screen is shown as sentences instead of a drawing. */
export function isPlain(app: App): boolean {
  if (!app.options.plain) return false;
  if (app.screen === 'results') return app.outcome !== undefined;
  return app.screen === 'history' && app.report !== undefined;
}

/** The rows of a screen that is read from top to bottom; undefined for one that is drawn. */
export function toReadingRows(app: App): string[] | undefined {
  const width = app.size.columns - 2;
  if (app.screen === 'help') return toHelpRows(width);
  if (!isPlain(app)) return undefined;
  const lines =
    app.screen === 'results' && app.outcome !== undefined
      ? toResultsLines(app, app.outcome)
      : toHistoryLines(app);
  return lines.flatMap((line) => toRows(line, width));
}

function toHistoryLines({ report, historyView: { day, kinds } }: App): string[] {
  if (report === undefined) return [];
  return day === 'all days' ? toReportLines(report) : toDayLines(day, report, kinds);
}

/** Rows of the hints below the text. */
const frameRows = 1;

/** How many rows of text fit onto the screen. */
export function toReadingRoom(app: App): number {
  return app.size.rows - frameRows;
}

/** How far the text can be scrolled until its last row is seen. */
export function toLongestScroll(app: App): number {
  const rows = toReadingRows(app)?.length ?? 0;
  return Math.max(0, rows - toReadingRoom(app));
}
