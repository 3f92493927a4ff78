import { bothEnds, fittingParts, plural, widthOf, wrapped } from '../../kit/terminal-text.ts';
import type { Look } from '../look/look.ts';
import { kindName } from '../progress/figures.ts';
import { type HistoryPage, historyPages } from '../state/history-view.ts';
import type { ScreenProps, State } from '../state/state.ts';
import { drawHistoryPage, momentText } from './history-pages.ts';
import { historyKeys, type KeyHint } from './keys.ts';
import { drawKeys, frameRows, Page, pageMargin } from './page.tsx';

export function HistoryScreen({ look, state }: ScreenProps) {
  const { report, size, historyView: view } = state;
  const width = size.columns - pageMargin;
  const top = [drawHeader(look, state, width), ''];
  if (report !== undefined && report.rounds.length > 0)
    top.push(...drawHistoryPage({ look, report, view, width, rows: size.rows - frameRows }));
  else if (report !== undefined) top.push(...wrapped(noRounds[view.page], width));
  return <Page size={size} top={top} bottom={[drawKeys(look, keysOf(state), width)]} />;
}

/** What will fill each page. */
const noRounds: Readonly<Record<HistoryPage, string>> = {
  progress: 'No finished rounds yet: the first one will be shown here.',
  letters: 'No finished rounds yet. This page shows how often you hit each letter, and how fast.',
  bigrams: 'No finished rounds yet. This page shows the time you take from one letter to the next.',
  rounds: 'No finished rounds yet: each one will be listed here.',
};

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
  const scope = scopes(state).find((text) => widthOf(text) <= room) ?? '';
  return bothEnds(title, look.paint('faint', scope), width);
}

/** What the page is of, the longest first. */
function scopes({ report, historyView: { page, round, isOpen, kinds, kind } }: State): string[] {
  if (report === undefined || report.rounds.length === 0) return [];
  const opened = report.rounds[round];
  if (page === 'rounds' && isOpen && opened !== undefined)
    return [momentText(opened.finished, report.timeZone)];
  const shown = report.kind ?? kinds[kind];
  if (shown === undefined) return [];
  const name = kindName(shown);
  if (report.kind === undefined) return [`${name}: ${report.notCounted} not counted`, name];
  const rounds = plural(report.runs, 'round');
  return [`${name}: ${rounds} on ${plural(report.days.length, 'day')}`, `${name}: ${rounds}`, name];
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
