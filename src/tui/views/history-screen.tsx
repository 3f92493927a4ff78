import { Box, Spacer } from 'ink';
import type { App } from '../app-state.ts';
import { toCountText } from '../drawing/figures.ts';
import { drawDayChart, drawFingerChanges, drawLetterChanges } from '../drawing/history-rows.ts';
import { toBothEnds, toRows } from '../drawing/text-layout.ts';
import type { Look } from '../screen/look.ts';
import type { Size } from '../screen/size.ts';
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
        <ReportRows look={look} report={report} width={width} rows={size.rows - 3} />
      )}
      <Spacer />
      <Line text={drawKeyHints(look, [['Esc', 'back']], width)} />
    </Box>
  );
}

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
  const scope = `% right, ${toCountText(changes.beforeRuns, 'earlier round')} and the latest ${changes.recentRuns}`;
  const tables =
    changes.recentRuns === 0
      ? []
      : [
          '',
          look.paint('faint', toRows(`${scope}; + or - where it has surely changed`, width)[0] ?? ''),
          ...drawLetterChanges(look, changes.letters, width),
          ...drawFingerChanges(look, changes.fingers, width),
        ];
  const hasTables = rows - trends.length - tables.length >= 6;
  const chartRows = Math.min(12, Math.max(2, rows - trends.length - 3 - (hasTables ? tables.length : 0)));
  return (
    <>
      <Line text={look.paint('faint', 'Median WPM of each day')} />
      <Lines rows={drawDayChart(look, days, width, chartRows)} />
      <Lines rows={trends} />
      {hasTables && <Lines rows={tables} />}
    </>
  );
}
