import type { Kind, ProgressReport } from '../trend/report.ts';
import { toCountText, toOneDecimal } from './figures/figures.ts';

/** What the figures are of, and what else was typed; nothing where only the usual rounds were. */
export function toKindLines(report: ProgressReport): string[] {
  const { kind, kinds, kindsNotCounted } = report;
  if (kind === undefined) return [];
  const isOnly = kinds.length + kindsNotCounted.length === 1;
  if (isOnly && toKindName(kind) === 'words-30') return [];
  if (isOnly) return [`Of the latest kind, ${toKindName(kind)}:`];
  return [
    'Each kind of round, the latest first; --mode, --language and --layout choose one:',
    ...toKindList(report),
    '',
    `Of the latest kind, ${toKindName(kind)}:`,
  ];
}

/** One line for each kind; those of which no round counts come last. */
export function toKindList({ kinds, kindsNotCounted }: ProgressReport): string[] {
  return [
    ...kinds.map(
      (kind) =>
        `${toKindName(kind)}: ${toCountText(kind.runs, 'round')}, median ${toOneDecimal(kind.wpm)} WPM${kind.bestWpm === 0 ? '' : `, best ${toOneDecimal(kind.bestWpm)}`}.`,
    ),
    ...kindsNotCounted.map((kind) => `${toKindName(kind)}: ${toCountText(kind.runs, 'round')}, not counted.`),
  ];
}

/** Mode, language, layout and where it was typed, the usual ones left out. */
export function toKindName({
  mode,
  language,
  layout,
  layoutName,
  source,
}: Omit<Kind, 'runs' | 'wpm' | 'bestWpm'>): string {
  return [
    mode,
    ...(language === 'en' ? [] : [language]),
    ...(layout === 'qwerty' || layout === 'unknown' ? [] : [layoutName ?? layout]),
    ...(source === 'own' ? [] : [sourceNames[source]]),
  ].join(' ');
}

const sourceNames: Readonly<Record<Exclude<Kind['source'], 'own'>, string>> = {
  monkeytype: '(monkeytype)',
  keybr: '(keybr)',
  all: '(all programs)',
};
