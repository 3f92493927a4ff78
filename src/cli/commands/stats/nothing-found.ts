import { toVisible } from '../../../kit/visible-text.ts';
import type { RoundHistory } from '../../../tui/record/round-history.ts';
import { toCountText } from '../../../tui/text/figures/figures.ts';
import { toDate } from '../../../tui/trend/days.ts';
import { filterRounds, type RoundFilter } from '../../../tui/trend/round-filter.ts';
import { toDaysText } from './asked-days.ts';

/** That a filter lets no round through, what there is instead, and which names may have been meant. */
export async function toNothingText(
  filter: RoundFilter,
  history: RoundHistory,
  zone: string,
  readHint = '',
): Promise<string> {
  const { since: _since, before: _before, ...others } = filter;
  const wish = Object.entries(others).map(([name, value]) => `--${name} ${toVisible(String(value))}`);
  const which = wish.length === 0 ? '' : ` match ${wish.join(' ')}`;
  const { toSuggestion } = await import('../../typist/practice-names.ts');
  const guess = toSuggestion({ language: filter.language, layout: filter.layout });
  const isAny = which === '' && filter.since === undefined && filter.before === undefined;
  return `No rounds${isAny ? ' typed here' : which}${toDaysText(filter, zone)}: ${toFoundHint(filter, history, zone)}.${guess}${readHint === '' ? '' : ` ${readHint}`}`;
}

/** As `play` names its modes; what of it is code in some language follows. */
const modePattern = /^(?:words-\d{1,3}|time-\d{1,3}|text|quote|drill|guided|code-(.+))$/;

/** Whether a filter names a mode, a language or a layout that neither `play` offers nor any round has. */
export async function namesUnknown(
  { mode, language, layout }: RoundFilter,
  { records, imported }: RoundHistory,
): Promise<boolean> {
  const all = [...records, ...imported];
  const isNew = (name: string | undefined, key: 'mode' | 'language' | 'layout') =>
    name !== undefined && !all.some((record) => record[key] === name);
  const [usual, code] = modePattern.exec(mode ?? 'text') ?? [];
  const { isOffered } = await import('../../typist/practice-names.ts');
  return (
    (isNew(mode, 'mode') && (usual === undefined || !isOffered({ code }))) ||
    (isNew(language, 'language') && !isOffered({ language })) ||
    (isNew(layout, 'layout') &&
      !all.some(({ layoutName }) => layoutName === layout) &&
      !isOffered({ layout }))
  );
}

/** What there is instead. */
function toFoundHint(filter: RoundFilter, history: RoundHistory, zone: string): string {
  const { source = 'own' } = filter;
  const exported = Object.hasOwn(exportedFiles, source) ? exportedFiles[source] : undefined;
  if (exported !== undefined && !history.imported.some((record) => record.source === source)) {
    const { file, page } = exported;
    return `none were imported yet. Download ${file} on the ${page} page of ${source}, and "typebadge import ${file}" reads it`;
  }
  const longer = findLonger(filter, history);
  if (longer.length > 0) return `you have ${longer.join(' and ')}`;
  const foreign = findForeign(filter, history);
  if (foreign !== undefined) return foreign;
  const elsewhen = toOtherDays(filter, history, zone);
  if (elsewhen !== undefined) return elsewhen;
  const isEmpty = filterRounds(history, { source: 'all' }).length === 0;
  return isEmpty
    ? 'there are none yet, and "typebadge play" makes the first'
    : '"typebadge stats" lists the kinds that you have';
}

/** The days on which there are such rounds; undefined where no day was asked for, or there are none. */
function toOtherDays(
  { since, before, ...others }: RoundFilter,
  history: RoundHistory,
  zone: string,
): string | undefined {
  if (since === undefined && before === undefined) return undefined;
  const rounds = filterRounds(history, others);
  const [first, last] = [rounds[0], rounds.at(-1)].map((round) => round && toDate(round.finished, zone));
  if (first === undefined || last === undefined) return undefined;
  return before === undefined || first === last
    ? `the latest is from ${last}`
    : `you have some from ${first} to ${last}`;
}

/** That rounds imported from other programs match, which are left out unless they are asked for. */
function findForeign(filter: RoundFilter, history: RoundHistory): string | undefined {
  if (filter.source !== undefined) return undefined;
  const found = filterRounds(history, { ...filter, source: 'all' });
  const [source, another] = new Set(found.map((record) => record.source));
  if (source === undefined) return undefined;
  const option = another === undefined ? source : 'all';
  return `${toCountText(found.length, 'round')} imported from other programs ${found.length === 1 ? 'matches' : 'match'} with --source ${option}`;
}

/** The file that each program exports its rounds as, and the page where it does. */
const exportedFiles: Readonly<Record<string, { readonly file: string; readonly page: string }>> = {
  monkeytype: { file: 'results.csv', page: 'account' },
  keybr: { file: 'typing-data.json', page: 'profile' },
};

/** The modes that begin with the one that was asked for, such as time-15 for "time". */
function findLonger({ mode, ...others }: RoundFilter, history: RoundHistory): string[] {
  if (mode === undefined) return [];
  const modes = new Set(filterRounds(history, others).map((record) => record.mode));
  return [...modes].filter((one) => one.startsWith(`${mode}-`)).sort();
}
