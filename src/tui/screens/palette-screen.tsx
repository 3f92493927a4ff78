import { Spacer } from 'ink';
import { drawKeyHints } from '../draw/key-hints.ts';
import type { Look } from '../look/look.ts';
import type { App } from '../state/app-state.ts';
import { findEntries } from '../state/palette.ts';
import { isCurrent, type PaletteEntry } from '../state/palette-entries.ts';
import { toBothEnds, toFitting, toFittingSentences, toWidth } from '../text/text-layout.ts';
import { Line, Lines, Screen } from './lines.tsx';

const hints = [
  ['Enter', 'choose'],
  ['Up/Down', 'move'],
  ['Esc', 'back'],
] as const;

/** Rows of the query, the gap below it, the remark and the hints. */
const frameRows = 4;

const groupWidth = 18;

/** Columns of the number of entries found, the prompt and the caret. */
const countWidth = 16;

/** Everything that can be chosen, found by typing a part of its name. */
export function PaletteScreen({ look, app }: { readonly look: Look; readonly app: App }) {
  const { size, palette } = app;
  const width = size.columns - 2;
  const room = size.rows - frameRows;
  const entries = findEntries(app, palette.query);
  const first = Math.max(0, Math.min(palette.row - Math.floor(room / 2), entries.length - room));
  const rows = entries
    .slice(first, first + room)
    .map((entry, at) => drawEntry(look, app, entry, first + at === palette.row, width));
  return (
    <Screen size={size}>
      <Line text={drawQuery(look, palette.query, entries.length, width)} />
      <Line text="" />
      <Lines rows={rows} />
      <Spacer />
      <Line text={drawRemark(look, app, entries.length, width)} />
      <Line text={drawKeyHints(look, hints, width)} />
    </Screen>
  );
}

function drawQuery({ paint, signs }: Look, query: string, found: number, width: number): string {
  const hint = toFitting('mode, language, layout, option, screen', signs.ellipsis, width - countWidth);
  const asked = query === '' ? paint('faint', ` ${hint}`) : '';
  const shown = query.slice(-Math.max(10, width - countWidth)); // the end of a path says more than its beginning
  const line = `${paint('strong', '>')} ${shown}${paint('current', ' ')}${asked}`;
  return toBothEnds(line, paint('faint', `${found} found`), width);
}

function drawEntry(look: Look, app: App, entry: PaletteEntry, isChosen: boolean, width: number): string {
  const isNow = isCurrent(entry, app.options) && app.ownText === undefined;
  const group = toWidth(entry.group, groupWidth);
  const text = `${isChosen ? '>' : ' '} ${group} ${entry.label}${isNow ? ' (now)' : ''}`;
  const fitting = toFitting(text, look.signs.ellipsis, width);
  return isChosen ? look.paint('strong', fitting) : fitting;
}

function drawRemark({ paint, signs }: Look, app: App, found: number, width: number): string {
  return paint('warning', toFittingSentences(toRemark(app, found, signs.ellipsis), signs.ellipsis, width));
}

function toRemark({ palette, catalog, isCatalogMissing }: App, found: number, ellipsis: string): string {
  if (palette.isSure) return 'Enter again gives up this round.';
  if (catalog === undefined && isCatalogMissing)
    return 'Languages and layouts are missing. Esc, then Ctrl+P asks for them again.';
  if (catalog === undefined) return `Languages and layouts are loading${ellipsis}`;
  return found === 0 ? 'Nothing found: try another word.' : '';
}
