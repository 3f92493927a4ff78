import { Spacer } from 'ink';
import { drawKeyHints } from '../draw/key-hints.ts';
import { toMoment } from '../draw/round-list.ts';
import type { Look } from '../look/look.ts';
import type { App } from '../state/app-state.ts';
import { type HistoryPage, historyPages } from '../state/history-view.ts';
import { toColumns } from '../terminal/columns.ts';
import type { Size } from '../terminal/size.ts';
import { toCountText } from '../text/figures.ts';
import { toKindName } from '../text/report-text.ts';
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
        <Lines rows={report === undefined ? [] : ['', ...toRows(noRounds[app.historyView.page], width)]} />
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
function toScopes({ report, historyView: { page, round, isOpen } }: App): string[] {
  if (report === undefined || report.rounds.length === 0) return [];
  const opened = report.rounds[round];
  if (page === 'rounds' && isOpen && opened !== undefined)
    return [toMoment(opened.finished, report.timeZone)];
  if (report.kind === undefined) return [];
  const name = toKindName(report.kind);
  const rounds = `${name}: ${toCountText(report.runs, 'round')}`;
  return [`${rounds} on ${toCountText(report.days.length, 'day')}`, rounds, name];
}

function toHints({ historyView: { page, kinds, isOpen }, size }: App): [string, string][] {
  const isSmall = size.columns < 60;
  return [
    ['Esc', 'back'],
    ['Tab', isSmall ? 'page' : 'next page'],
    ...toPageHint(page, isOpen),
    ...(kinds.length > 1
      ? [['Left/Right', isSmall ? 'kind' : 'mode, language, layout'] as [string, string]]
      : []),
  ];
}

function toPageHint(page: HistoryPage, isOpen: boolean): [string, string][] {
  if (page === 'rounds') return [['Enter', isOpen ? 'list' : 'open']];
  return page === 'letters' ? [['k', 'speed']] : [];
}
