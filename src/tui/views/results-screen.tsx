import { Box, Spacer } from 'ink';
import type { App, Outcome } from '../app/app-state.ts';
import { drawBodyRows, toErrorParts } from '../drawing/body-rows.ts';
import { drawSparkline, drawSpeedChart, scaleWidth } from '../drawing/chart.ts';
import { toCountText } from '../drawing/figures.ts';
import { drawHeatLegend, drawHeatMap, type KeySize } from '../drawing/heat-map.ts';
import { drawScoreRows } from '../drawing/score-rows.ts';
import { toBothEnds, toFittingParts, toRows } from '../drawing/text-layout.ts';
import { toTimingParts } from '../drawing/timing-text.ts';
import { toAdvice, toAdviceText } from '../game/advice.ts';
import { toSpeedSeries } from '../game/speed-series.ts';
import type { Look } from '../screen/look.ts';
import type { Size } from '../screen/size.ts';
import { drawKeyHints } from './key-hints.ts';
import { Line, Lines } from './lines.tsx';

interface ResultsProps {
  readonly look: Look;
  readonly app: App;
  readonly outcome: Outcome;
  readonly size: Size;
}

const hints = [
  ['Enter', 'next round'],
  ['Esc', 'leave'],
  ['k', 'speed or accuracy'],
  ['Ctrl+Y', 'history'],
  ['?', 'help'],
  ['Ctrl+O', 'options'],
] as const;

export function ResultsScreen(props: ResultsProps) {
  const { size } = props;
  const isFull = size.columns >= 80 && size.rows >= 24;
  return (
    <Box flexDirection="column" width={size.columns} height={size.rows} paddingX={1}>
      {isFull ? <FullResults {...props} /> : <ShortResults {...props} />}
    </Box>
  );
}

function drawTitle({ look, app, outcome }: ResultsProps, width: number): string {
  return toBothEnds(look.paint('strong', 'Round finished'), drawWhereabouts(look, app, outcome), width);
}

/** Whether the run has arrived where it counts. */
function drawWhereabouts({ paint, signs }: Look, { delivery }: App, outcome: Outcome): string {
  if (outcome.unsaved !== '') return paint('warning', 'the server could not write it to its disk');
  if (outcome.history !== undefined) {
    return paint('faint', `${toCountText(outcome.history.total_sessions, 'round')} so far`);
  }
  if (delivery.lost !== '') return paint('warning', `only in your own record: ${delivery.lost}`);
  if (delivery.away !== '') return paint('warning', 'server away: kept here until it returns');
  return paint('faint', `saving${signs.ellipsis}`);
}

/** Rows of everything but the chart and the keyboard, with a blank row between the groups. */
const otherRows = 18;

function FullResults(props: ResultsProps) {
  const { look, app, outcome, size } = props;
  const width = size.columns - 2;
  const isRoomy = size.rows >= 34 && size.columns >= 110;
  const key: KeySize = isRoomy ? { width: 5, rows: 3 } : { width: 3, rows: 2 };
  const mapWidth = (key.width + 1) * 10 + 1;
  const chartRows = Math.min(key.rows * 3, size.rows - otherRows);
  const chartWidth = Math.min(width - mapWidth - 3 - scaleWidth, 100);
  const known = outcome.history ?? app.history;
  return (
    <>
      <Line text={drawTitle(props, width)} />
      <Line text="" />
      <Lines rows={drawScoreRows(look, outcome, width)} />
      <Spacer />
      <Box>
        <Box flexDirection="column" width={chartWidth + scaleWidth + 3} flexShrink={0}>
          <Line text={look.paint('faint', `Speed in this round, ${look.signs.error} an error`)} />
          <Lines rows={drawSpeedChart(look, toSpeedSeries(outcome.run, chartWidth), chartRows)} />
        </Box>
        {known !== undefined && (
          <Box flexDirection="column">
            <Line
              text={look.paint(
                'faint',
                app.measure === 'accuracy' ? 'All rounds, % right' : 'All rounds, ms',
              )}
            />
            <Lines rows={drawHeatMap(look, known, app.measure, key)} />
            <Line text={drawHeatLegend(look, app.measure)} />
          </Box>
        )}
      </Box>
      <Spacer />
      {known !== undefined && <Lines rows={drawBodyRows(look, known, width)} />}
      {isRoomy && <Line text="" />}
      <Line text={drawAdvice(props)} />
      <Line text={drawTiming(props, width)} />
      <Spacer />
      <Line text={drawKeyHints(look, hints, width)} />
    </>
  );
}

/** What went wrong is more important than how well the keys were timed. */
function drawTiming({ look, app, outcome }: ResultsProps, width: number): string {
  if (app.notice !== '') return look.paint('warning', app.notice);
  const parts = toTimingParts(outcome.run.quality, app.isOffThread);
  return look.paint('faint', toFittingParts([`Timing: ${parts[0]}`, ...parts.slice(1)], ', ', width));
}

function drawAdvice({ look, app, outcome }: ResultsProps): string {
  const known = outcome.history ?? app.history;
  return known === undefined ? '' : look.paint('warning', toAdviceText(toAdvice(known)));
}

/** What matters most, in twelve rows of forty columns. */
function ShortResults(props: ResultsProps) {
  const { look, app, outcome, size } = props;
  const width = size.columns - 2;
  const known = outcome.history ?? app.history;
  const advice = toRows(known === undefined ? '' : toAdviceText(toAdvice(known)), width).slice(0, 2);
  return (
    <>
      <Line text={drawTitle(props, width)} />
      <Lines rows={drawScoreRows(look, outcome, width)} />
      <Lines rows={drawSparkline(look, toSpeedSeries(outcome.run, width))} />
      {known !== undefined && <Line text={toFittingParts(toErrorParts(look, known), '  ', width)} />}
      <Spacer />
      <Lines rows={advice.map((row) => look.paint('warning', row))} />
      <Line text={drawTiming(props, width)} />
      <Line text={drawKeyHints(look, hints, width)} />
    </>
  );
}
