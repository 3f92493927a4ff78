import type { StampedKey } from '../input/key.ts';
import type { Options } from '../record/options.ts';
import { isUnderWay } from '../round/round.ts';
import type { App } from '../state/app-state.ts';
import { toDayView } from '../state/history-view.ts';
import { type OptionRow, optionRows, setOptions, toValueName } from '../state/option-rows.ts';
import { findEntries, type Palette } from '../state/palette.ts';
import type { PaletteChoice, PaletteEntry } from '../state/palette-entries.ts';
import { closeScreen, openScreen, toNextRound } from './overlays.ts';
import { only, type Reaction } from './reaction.ts';

/** A path may be long. */
const longestQuery = 200;

/** What a key does in the palette: letters search, Enter chooses. */
export function pressPalette(app: App, key: StampedKey): Reaction {
  const { query, row } = app.palette;
  switch (key.name) {
    case 'escape':
      return only(closeScreen(app));
    case 'enter':
      return choose(app, key.time);
    case 'up':
    case 'down':
      return only(move(app, row + (key.name === 'up' ? -1 : 1)));
    case 'page-up':
    case 'page-down':
      return only(move(app, Math.max(0, row + (key.name === 'page-up' ? -pageRows : pageRows))));
    case 'backspace':
      return only(search(app, [...query].slice(0, -1).join('')));
    case 'delete-word':
      return only(search(app, ''));
    case 'space':
      return only(search(app, `${query} `));
    case 'character':
      return only(search(app, query + key.text));
    default:
      return only(app);
  }
}

const pageRows = 8;

function search(app: App, query: string): App {
  if (query.length > longestQuery) return app;
  return withPalette(app, { query, row: 0, isSure: false });
}

/** Round and round. */
function move(app: App, row: number): App {
  const count = findEntries(app, app.palette.query).length;
  if (count === 0) return app;
  return withPalette(app, { row: (Math.min(row, count) + count) % count, isSure: false });
}

/** There is more to find now: the search is done again, and the cursor stays on its entry unless that is the first. */
export function takeCatalog(app: App, catalog: App['catalog']): App {
  if (catalog === undefined) return app.catalog === undefined ? { ...app, isCatalogMissing: true } : app;
  const next = { ...app, catalog, isCatalogMissing: false };
  const { query, row } = app.palette;
  const chosen = row === 0 ? undefined : findEntries(app, query)[row];
  if (chosen === undefined) return next;
  const isChosen = ({ group, label }: PaletteEntry) => group === chosen.group && label === chosen.label;
  return withPalette(next, { row: Math.max(0, findEntries(next, query).findIndex(isChosen)) });
}

function withPalette(app: App, change: Partial<Palette>): App {
  return { ...app, palette: { ...app.palette, ...change } };
}

function choose(app: App, time: number): Reaction {
  const entry = findEntries(app, app.palette.query)[app.palette.row];
  return entry === undefined ? only(app) : take(app, entry.choice, time);
}

function take(app: App, choice: PaletteChoice, time: number): Reaction {
  switch (choice.type) {
    case 'screen': {
      const opened = openScreen(app, choice.screen, time);
      return choice.screen === 'history' ? only(opened, 'load-report') : only(opened);
    }
    case 'day': {
      const opened = openScreen(app, 'history', time);
      return only({ ...opened, historyView: toDayView(opened.historyView, choice.day) }, 'load-report');
    }
    case 'set': {
      const options = setOptions(app.options, choice.change);
      return only(
        { ...closeScreen({ ...app, options }), notice: toSetNotice(choice.change) },
        'save-options',
      );
    }
    case 'leave':
      return only(app, 'break-off');
    case 'command': {
      const notice = `Esc leaves; then on the command line: ${choice.command}`;
      return only({ ...closeScreen(app), notice });
    }
    case 'text':
      if (isAsked(app)) return only(withPalette(app, { isSure: true }));
      return only({ ...closeScreen(app), wantedText: choice.file }, 'open-text');
    default:
      return practise(app, choice.change);
  }
}

/** What is on now: most options do not show at once. */
function toSetNotice(change: Partial<Options>): string {
  const row = optionRows.find(({ key }) => key in change);
  if (row === undefined) return '';
  const value = toValueName(row, change[row.key] as OptionRow['values'][number]);
  return `${row.label}: ${value}${row.isForNext ? ', from the next round on' : ''}.`;
}

/** From this word on a round is too long to be lost to a slip of the finger. */
const wordsWorthAsking = 5;

function practise(app: App, change: Extract<PaletteChoice, { type: 'practise' }>['change']): Reaction {
  if (isAsked(app)) return only(withPalette(app, { isSure: true }));
  const options = { ...app.options, ...change };
  const ownText = change.mode === undefined ? app.ownText : undefined;
  return only({ ...toNextRound(app), options, ownText, missed: '', notice: '' }, 'save-options', 'new-round');
}

/** Whether a round is worth a question that has not been asked yet. */
function isAsked({ round, palette }: App): boolean {
  const wouldLose = round !== undefined && isUnderWay(round) && round.wordIndex >= wordsWorthAsking;
  return wouldLose && !palette.isSure;
}
