import { readPackageVersion } from '../../../kit/package-files.ts';
import { padded, plural, safeText, widthOf } from '../../../kit/terminal-text.ts';
import type { ServeConfig } from '../../../server/settings/config.ts';
import { formatLimit, limitTable } from '../../../server/settings/limits.ts';
import { besideHead } from '../../display/announcement-text.ts';
import type { CommandIo } from '../../program/command-io.ts';
import type { Paint } from '../../program/paint.ts';
import { paragraphs, type Report } from '../../program/report.ts';
import { checkServer, type Finding } from './checks.ts';

export interface Setting {
  /** The option's name, without dashes. */
  readonly name: string;
  /** As text, without passwords; null: it is not set. */
  readonly value: string | null;
  readonly source: 'option' | 'environment' | 'default';
  readonly variable: string;
}

export async function doctorReport(
  settings: readonly Setting[],
  config: ServeConfig,
  io: CommandIo,
): Promise<Report> {
  const version = readPackageVersion();
  const isStoreGiven = settings.some(({ name, source }) => name === 'store' && source === 'option');
  const findings = await checkServer(version, config, isStoreGiven, io);
  const isWell = findings.every(({ state }) => state !== 'problem');
  return {
    value: { ok: isWell, version, settings, limits: fixedLimits, findings },
    exitCode: isWell ? 0 : 1,
    text: (paint, columns) =>
      paragraphs(
        [paint.bold('Settings'), ...settingRows(settings, paint)],
        [
          paint.bold('Fixed limits'),
          ...rows(fixedLimits.map((limit) => [formatLimit(limit), limit.reason])).map(paint.dim),
        ],
        [paint.bold('Checks'), ...findings.flatMap((finding) => findingLines(finding, paint, columns))],
        summary(findings, paint),
      ),
  };
}

const fixedLimits = Object.entries(limitTable).flatMap(([name, { option, ...limit }]) =>
  option === undefined ? [{ name, ...limit }] : [],
);

/** Every setting with its source; those that somebody has set stand out. */
function settingRows(settings: readonly Setting[], paint: Paint): string[] {
  const cells = settings.map(({ name, value, source, variable }) => [
    name,
    safeText(value ?? 'not set'),
    source === 'environment' ? `environment (${variable})` : source,
  ]);
  return rows(cells).map((row, at) => (settings[at]?.source === 'default' ? paint.dim(row) : row));
}

/** Columns of at most 40, with two blanks between them. */
function rows(cells: readonly (readonly string[])[]): string[] {
  const widths = (cells[0] ?? []).map((_, at) =>
    Math.min(40, Math.max(...cells.map((row) => widthOf(row[at] ?? '')))),
  );
  return cells.map((row) => `  ${row.map((cell, at) => padded(cell, widths[at] ?? 0)).join('  ')}`.trimEnd());
}

function findingLines({ about, state, message, fix }: Finding, paint: Paint, columns: number): string[] {
  const sign = { ok: paint.good('✔'), note: paint.warn('!'), problem: paint.bad('✘') }[state];
  const fixLines = fix === undefined ? [] : besideHead(' '.repeat(13), `→ ${safeText(fix)}`, 13, columns);
  return [
    ...besideHead(`  ${sign} ${about.padEnd(9)}`, safeText(message), 13, columns),
    ...fixLines.map(paint.accent),
  ];
}

function summary(findings: readonly Finding[], paint: Paint): string {
  const count = (wanted: Finding['state']) => findings.filter(({ state }) => state === wanted).length;
  if (count('problem') > 0)
    return `${paint.bad('✘')} ${plural(count('problem'), 'thing is', 'things are')} wrong.`;
  const notes = count('note');
  const warnings = `Nothing is broken; ${plural(notes, 'warning')}.`;
  return `${paint.good('✔')} ${notes === 0 ? 'Nothing is wrong.' : warnings}`;
}
