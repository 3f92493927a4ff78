import { plural } from '../../../kit/terminal-text.ts';
import { toVisible } from '../../../kit/visible-text.ts';
import { dateOf } from '../../../tui/progress/days.ts';
import { filteredRounds, type RoundFilter, type RoundHistory } from '../../../tui/progress/report.ts';
import { isOffered, toSuggestion } from '../../typist/practice-names.ts';
import { daysText } from './stats-days.ts';

/** That a filter lets no round through, what there is instead, and which names may have been meant. */
export function nothingText(filter: RoundFilter, history: RoundHistory, zone: string): string {
  const { since, before, ...others } = filter;
  const given = Object.entries(others).map(([name, value]) => `--${name} ${toVisible(String(value))}`);
  const which = given.length > 0 ? ` match ${given.join(' ')}` : since || before ? '' : ' typed here';
  const guess = toSuggestion({ language: filter.language, layout: filter.layout });
  return `No rounds${which}${daysText(filter, zone)}: ${foundInstead(filter, history, zone)}.${guess}`;
}

/** As `play` names its modes; what of it is code in some language follows. */
const modePattern = /^(?:words-\d{1,3}|time-\d{1,3}|text(?:-[a-z]+)?|quote|drill|guided|code-(.+))$/;

/** Whether a filter names a mode, a language or a layout that neither `play` offers nor any round has. */
export function namesUnknown(
  { mode, language, layout }: RoundFilter,
  { records, imported }: RoundHistory,
): boolean {
  const all = [...records, ...imported];
  const isNew = (name: string | undefined, key: 'mode' | 'language' | 'layout') =>
    name !== undefined &&
    !all.some((record) => record[key] === name || (key === 'layout' && record.layoutName === name));
  const [usual, code] = modePattern.exec(mode ?? 'text') ?? [];
  return (
    (isNew(mode, 'mode') && (usual === undefined || !isOffered({ code }))) ||
    (isNew(language, 'language') && !isOffered({ language })) ||
    (isNew(layout, 'layout') && !isOffered({ layout }))
  );
}

/** The file that each program exports its rounds as, and the page where it does. */
const exportedFiles: Readonly<Record<string, { readonly file: string; readonly page: string }>> = {
  monkeytype: { file: 'results.csv', page: 'account' },
  keybr: { file: 'typing-data.json', page: 'profile' },
};

function foundInstead(filter: RoundFilter, history: RoundHistory, zone: string): string {
  const { source = 'own', since: _since, before: _before, ...kind } = filter;
  const exported = exportedFiles[source];
  if (exported !== undefined && !history.imported.some((record) => record.source === source)) {
    const { file, page } = exported;
    return `none were imported yet. Download ${file} on the ${page} page of ${source}, and "typebadge import ${file}" reads it`;
  }
  const modes = new Set(filteredRounds(history, { ...filter, mode: undefined }).map(({ mode }) => mode));
  const longer = [...modes].filter((mode) => mode.startsWith(`${filter.mode}-`)).sort();
  if (longer.length > 0) return `you have ${longer.join(' and ')}`;
  const foreign = filteredRounds(history, { ...filter, source: 'all' });
  if (source === 'own' && foreign.length > 0) {
    const programs = [...new Set(foreign.map((record) => record.source))];
    const match = foreign.length === 1 ? 'matches' : 'match';
    return `${plural(foreign.length, 'round')} imported from other programs ${match} with --source ${programs.length === 1 ? programs[0] : 'all'}`;
  }
  const elsewhen = filteredRounds(history, { ...kind, source });
  const [first, last] = [elsewhen[0], elsewhen.at(-1)].map((round) => round && dateOf(round.finished, zone));
  if (last !== undefined)
    return filter.before === undefined || first === last
      ? `the latest is from ${last}`
      : `you have some from ${first} to ${last}`;
  return history.records.length + history.imported.length === 0
    ? 'there are none yet, and "typebadge play" makes the first'
    : '"typebadge stats" lists the kinds that you have';
}
