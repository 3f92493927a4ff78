import { Spacer } from 'ink';
import { drawDayChart, drawFingerChanges, drawLetterChanges } from '../draw/history-rows.ts';
import { drawKeyHints } from '../draw/key-hints.ts';
import type { Look } from '../look/look.ts';
import type { App } from '../state/app-state.ts';
import type { Size } from '../terminal/size.ts';
import { toCountText } from '../text/figures.ts';
import { toKindName, toTrendText } from '../text/report-text.ts';
import { toBothEnds, toFittingParts, toRows } from '../text/text-layout.ts';
import type { Changes } from '../trend/letter-change.ts';
import type { Report } from '../trend/report.ts';
import { Line, Lines, Screen } from './lines.tsx';

interface HistoryProps {
  readonly look: Look;
  readonly app: App;
  readonly size: Size;
}

export function HistoryScreen({ look, app, size }: HistoryProps) {
  const width = size.columns - 2;
  const { report } = app;
  return (
    <Screen size={size}>
      <Line text={toBothEnds(look.paint('strong', 'History'), look.paint('faint', toScope(report)), width)} />
      {report === undefined || report.runs === 0 ? (
        <Line text={report === undefined ? '' : 'No finished rounds yet: the first one will stand here.'} />
      ) : (
        <ReportRows look={look} report={report} width={width} rows={size.rows - frameRows} />
      )}
      <Spacer />
      <Line text={drawKeyHints(look, [['Esc', 'back']], width)} />
    </Screen>
  );
}

/** Rows of the title and the hints. */
const frameRows = 2;

function toScope(report: Report | undefined): string {
  if (report === undefined || report.runs === 0) return '';
  const name = report.kind === undefined ? '' : toKindName(report.kind);
  const kind = name === 'words-30' && report.kinds.length === 1 ? '' : `${name}: `;
  return `${kind}${toCountText(report.runs, 'round')} on ${toCountText(report.days.length, 'day')}`;
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
    look.paint('faint', toFittingParts([scope, '+/- mark significant changes.'], ' ', width)),
    ...drawLetterChanges(look, changes.letters, width),
    ...drawFingerChanges(look, changes.fingers, width),
  ];
}
