import { Box, Spacer } from 'ink';
import type { App } from '../app/app-state.ts';
import { toCountText } from '../drawing/figures.ts';
import { drawDayChart, drawFingerChanges, drawLetterChanges } from '../drawing/history-rows.ts';
import { toBothEnds, toFittingParts, toRows } from '../drawing/text-layout.ts';
import type { Look } from '../screen/look.ts';
import type { Size } from '../screen/size.ts';
import type { Changes } from '../trend/letter-change.ts';
import type { Report } from '../trend/report.ts';
import { toTrendText } from '../trend/report-text.ts';
import { drawKeyHints } from './key-hints.ts';
import { Line, Lines } from './lines.tsx';

interface HistoryProps {
  readonly look: Look;
  readonly app: App;
  readonly size: Size;
}

export function HistoryScreen({ look, app, size }: HistoryProps) {
  const width = size.columns - 2;
  const { report } = app;
  return (
    <Box flexDirection="column" width={size.columns} height={size.rows} paddingX={1}>
      <Line text={toBothEnds(look.paint('strong', 'History'), look.paint('faint', toScope(report)), width)} />
      {report === undefined || report.runs === 0 ? (
        <Line text={report === undefined ? '' : 'No finished rounds yet: the first one will stand here.'} />
      ) : (
        <ReportRows look={look} report={report} width={width} rows={size.rows - frameRows} />
      )}
      <Spacer />
      <Line text={drawKeyHints(look, [['Esc', 'back']], width)} />
    </Box>
  );
}

/** Rows of the title and the hints. */
const frameRows = 2;

function toScope(report: Report | undefined): string {
  if (report === undefined || report.runs === 0) return '';
  return `${toCountText(report.runs, 'round')} on ${toCountText(report.days.length, 'day')}`;
}

interface ReportProps {
  readonly look: Look;
  readonly report: Report;
  readonly width: number;
  readonly rows: number;
}

/** What has the most to say comes first; what does not fit stays away. */
function ReportRows({ look, report, width, rows }: ReportProps) {
  const { changes, days } = report;
  const trends = [
    ...toRows(toTrendText('Speed', 'WPM', report.speedTrend), width),
    ...toRows(toTrendText('Accuracy', 'points', report.accuracyTrend), width),
  ];
  const tables = changes.recentRuns === 0 ? [] : drawTables(look, changes, width);
  const isAiry = rows >= 20;
  const others = trends.length + chartFrameRows + (isAiry ? 3 : 0);
  const hasTables = rows - others - tables.length >= 4;
  const chartRows = Math.min(12, Math.max(2, rows - others - (hasTables ? tables.length : 0)));
  return (
    <>
      {isAiry && <Line text="" />}
      <Line text={look.paint('faint', 'Median WPM of each day')} />
      <Lines rows={drawDayChart(look, days, width, chartRows)} />
      {isAiry && <Line text="" />}
      <Lines rows={trends} />
      {hasTables && <Lines rows={tables} />}
    </>
  );
}

/** Rows of the chart's heading and of its days. */
const chartFrameRows = 3;

function drawTables(look: Look, changes: Changes, width: number): string[] {
  const earlier = toCountText(changes.beforeRuns, 'earlier round');
  const scope = `% right: ${earlier}, then the latest ${changes.recentRuns}.`;
  return [
    '',
    look.paint('faint', toFittingParts([scope, '+ and - are sure changes.'], ' ', width)),
    ...drawLetterChanges(look, changes.letters, width),
    ...drawFingerChanges(look, changes.fingers, width),
  ];
}
