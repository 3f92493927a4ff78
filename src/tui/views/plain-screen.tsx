import { Box, Spacer } from 'ink';
import type { App } from '../app-state.ts';
import { toRows } from '../drawing/text-layout.ts';
import type { Size } from '../screen/canvas.ts';
import type { Look } from '../screen/look.ts';
import { toReportLines } from '../trend/report-text.ts';
import { drawKeyHints } from './key-hints.ts';
import { Line, Lines } from './lines.tsx';
import { toResultsLines } from './results-text.ts';

/** Results and history as sentences; undefined on every other screen. */
export function toPlainLines(app: App): string[] | undefined {
  if (app.screen === 'results' && app.outcome !== undefined) return toResultsLines(app, app.outcome);
  if (app.screen === 'history' && app.report !== undefined) return toReportLines(app.report);
  return undefined;
}

interface PlainProps {
  readonly look: Look;
  readonly app: App;
  readonly size: Size;
  readonly lines: readonly string[];
}

/** One sentence after the other, no drawing at all; longer than the screen, it scrolls. */
export function PlainScreen({ look, app, size, lines }: PlainProps) {
  const rows = lines.flatMap((line) => toRows(line, size.columns));
  const room = size.rows - 1;
  const first = Math.min(app.scroll, Math.max(0, rows.length - room));
  const hints =
    app.screen === 'results'
      ? ([
          ['Enter', 'next round'],
          ['Down', 'read on'],
          ['Esc', 'leave'],
        ] as const)
      : ([
          ['Esc', 'back'],
          ['Down', 'read on'],
        ] as const);
  return (
    <Box flexDirection="column" width={size.columns} height={size.rows}>
      <Lines rows={rows.slice(first, first + room)} />
      <Spacer />
      <Line text={drawKeyHints(look, hints, size.columns)} />
    </Box>
  );
}
