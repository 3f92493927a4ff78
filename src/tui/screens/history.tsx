import { bothEnds, fittingParts, plural, widthOf, wrapped } from '../../kit/terminal-text.ts';
import type { Look } from '../look/look.ts';
import { kindName } from '../progress/figures.ts';
import { historyPages, type ScreenProps, type State } from '../state/state.ts';
import { drawKeys, historyKeys, type KeyHint } from '../view/key-hints.ts';
import { drawHistoryPage, momentText } from './history-pages.ts';
import { frameRows, Page, pageMargin } from './page.tsx';

export function HistoryScreen({ look, state }: ScreenProps) {
  const { report, size, historyView: view } = state;
  const width = size.columns - pageMargin;
  const top = [drawHeader(look, state, width), ''];
  if (report !== undefined && report.rounds.length > 0)
    top.push(...drawHistoryPage({ look, report, view, width, rows: size.rows - frameRows }));
  else if (report !== undefined)
    top.push(...wrapped('No finished rounds yet: the first one will be shown here.', width));
  return <Page size={size} top={top} bottom={[drawKeys(look, keysOf(state), width)]} />;
}

/** Title and pages, and as much of what they are of as has room beside them. */
function drawHeader(look: Look, state: State, width: number): string {
  const { page: shown } = state.historyView;
  const name = look.paint('strong', 'History');
  const pages = historyPages.map((page, at) =>
    look.paint(page === shown ? 'current' : 'faint', `${at + 1} ${page}`),
  );
  const title =
    width < 60 ? `${name} ${look.paint('faint', shown)}` : `${name}  ${fittingParts(pages, '  ', width)}`;
  const room = width - widthOf(title) - 2;
  return bothEnds(title, look.paint('faint', fittingParts(scopeParts(state), ': ', room)), width);
}

/** What the page is of, the most important first. */
function scopeParts({ report, historyView: { page, round, isOpen, kinds, kind } }: State): string[] {
  if (report === undefined || report.rounds.length === 0) return [];
  const opened = report.rounds[round];
  if (page === 'rounds' && isOpen && opened !== undefined)
    return [momentText(opened.finished, report.timeZone)];
  const shown = report.kind ?? kinds[kind];
  if (shown === undefined) return [];
  const counted = `${plural(report.runs, 'round')} on ${plural(report.days.length, 'day')}`;
  return [kindName(shown), report.kind === undefined ? `${report.notCounted} not counted` : counted];
}

function keysOf({ historyView: { page, kinds, isOpen } }: State): KeyHint[] {
  const { back, page: pageKey, open, list, measure, kind } = historyKeys;
  return [
    back,
    pageKey,
    ...(page === 'rounds' ? [isOpen ? list : open] : []),
    ...(page === 'letters' ? [measure] : []),
    ...(kinds.length > 1 ? [kind] : []),
  ];
}
