import { Spacer } from 'ink';
import { drawKeyHints } from '../draw/key-hints.ts';
import { toMoment } from '../draw/round-list.ts';
import type { Look } from '../look/look.ts';
import type { App } from '../state/app-state.ts';
import { type HistoryPage, historyPages, toNextDay } from '../state/history-view.ts';
import { toColumns } from '../terminal/columns.ts';
import type { Size } from '../terminal/size.ts';
import { toEmptyDayText } from '../text/day-text.ts';
import { toCountText } from '../text/figures/figures.ts';
import { toKindName } from '../text/kind-lines.ts';
import { toBothEnds, toFittingParts, toRows } from '../text/text-layout.ts';
import { HistoryBody } from './history-body.tsx';
import { Line, Lines, Screen } from './lines.tsx';

interface HistoryProps {
  readonly look: Look;
  readonly app: App;
  readonly size: Size;
}

/** Rows of the title and the hints. */
const frameRows = 2;

export function HistoryScreen({ look, app, size }: HistoryProps) {
  const width = size.columns - 2;
  const { report } = app;
  const isEmpty = report === undefined || report.rounds.length === 0;
  return (
    <Screen size={size}>
      <Line text={drawHeader(look, app, width)} />
      {isEmpty ? (
        <Lines rows={report === undefined ? [] : ['', ...toRows(toEmptyText(app), width)]} />
      ) : (
        <HistoryBody
          look={look}
          report={report}
          view={app.historyView}
          width={width}
          rows={size.rows - frameRows}
        />
      )}
      <Spacer />
      <Line text={drawKeyHints(look, toHints(app), width)} />
    </Screen>
  );
}

/** What will fill each page. */
const noRounds: Readonly<Record<HistoryPage, string>> = {
  progress: 'No finished rounds yet: the first one will be shown here.',
  letters: 'No finished rounds yet. This page shows how often you hit each letter, and how fast.',
  bigrams: 'No finished rounds yet. This page shows the time you take from one letter to the next.',
  rounds: 'No finished rounds yet: each one will be listed here.',
};

function toEmptyText({ historyView: { page, day } }: App): string {
  return day === 'all days' ? noRounds[page] : toEmptyDayText(day);
}

/** Title and pages, and as much of what they are of as has room beside them. */
function drawHeader(look: Look, app: App, width: number): string {
  const title = drawTitle(look, app, width);
  const room = width - toColumns(title) - 2; // the pages have two blanks between them
  const scope = toScopes(app).find((text) => toColumns(text) <= room) ?? '';
  return toBothEnds(title, look.paint('faint', scope), width);
}

/** The pages, with the one shown marked; in a narrow window only that one. */
function drawTitle(look: Look, app: App, width: number): string {
  const { page } = app.historyView;
  const name = look.paint('strong', 'History');
  if (width < 60) return `${name} ${look.paint('faint', page)}`;
  const pages = historyPages.map((one, at) =>
    one === page ? look.paint('current', `${at + 1} ${one}`) : look.paint('faint', `${at + 1} ${one}`),
  );
  return `${name}  ${toFittingParts(pages, '  ', width)}`;
}

/** What the page is of, the longest first. */
function toScopes({ report, historyView: { page, round, isOpen, day, kinds, kind } }: App): string[] {
  if (report === undefined) return [];
  if (report.rounds.length === 0) return day === 'all days' ? [] : [day];
  const opened = report.rounds[round];
  if (page === 'rounds' && isOpen && opened !== undefined)
    return [toMoment(opened.finished, report.timeZone)];
  if (day !== 'all days' && page === 'rounds')
    return [`${day}: ${toCountText(report.rounds.length, 'round')}`, day];
  const shown = report.kind ?? kinds[kind];
  if (shown === undefined) return [];
  const name = toKindName(shown);
  if (report.kind === undefined) return [`${name}: ${report.rounds.length} not counted`, name];
  if (day !== 'all days') return [`${day}, ${name}: ${toCountText(report.runs, 'round')}`, `${day}, ${name}`];
  const rounds = `${name}: ${toCountText(report.runs, 'round')}`;
  return [`${rounds} on ${toCountText(report.days.length, 'day')}`, rounds, name];
}

function toHints({ historyView: { page, kinds, isOpen, day }, size }: App): [string, string][] {
  const isSmall = size.columns < 60;
  const hasKinds = kinds.length > 1 && (day === 'all days' || page !== 'rounds');
  const kind: [string, string] = isSmall ? ['Arrows', 'kind'] : ['Left/Right', 'mode, language, layout'];
  return [
    ['Esc', 'back'],
    ['Tab', 'page'],
    ['d', isSmall ? 'day' : toNextDay(day)],
    ...toPageHint(page, isOpen),
    ...(hasKinds ? [kind] : []),
  ];
}

function toPageHint(page: HistoryPage, isOpen: boolean): [string, string][] {
  if (page === 'rounds') return [['Enter', isOpen ? 'list' : 'open']];
  return page === 'letters' ? [['k', 'speed']] : [];
}
