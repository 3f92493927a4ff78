import { resolve } from 'node:path';
import { readPackageVersion } from '../../../kit/package-files.ts';
import { padded, plural, safeText, widthOf, wrapped } from '../../../kit/terminal-text.ts';
import type { ServeConfig } from '../../../server/settings/config.ts';
import { formatLimit, limitTable } from '../../../server/settings/limits.ts';
import type { CommandIo } from '../../program/command-io.ts';
import type { Paint } from '../../program/paint.ts';
import type { Report } from '../../program/report.ts';
import {
  checkContentAndStore,
  checkExposure,
  checkFolder,
  checkPort,
  checkSettings,
  type Finding,
  ok,
} from './checks.ts';
import { checkVariables } from './known-variables.ts';

/** A setting as the server would have it. */
export interface Setting {
  /** The option's name, without dashes. */
  readonly name: string;
  readonly variable: string;
  readonly source: 'option' | 'environment' | 'default';
  /** As text; without passwords. Empty if it is not set. */
  readonly value: string;
}

/** Tries what a server with these settings needs, without changing anything. */
export async function examine(
  settings: readonly Setting[],
  config: ServeConfig,
  io: CommandIo,
): Promise<Report> {
  const version = readPackageVersion();
  const dataDir = resolve(io.cwd, config.data);
  const findings = [
    ok('program', `typebadge ${version} on Node.js ${process.versions.node}, ${process.platform}.`),
    ...checkVariables(io.env),
    ...(await checkSettings(config, settings.some(isStoreOption), io)),
    ...checkExposure(config),
    ...(await checkContentAndStore(config, io)),
    await checkFolder('data', dataDir),
    await checkPort('port', config, dataDir),
    ...(config.metrics === undefined ? [] : [await checkPort('metrics', config.metrics, dataDir)]),
  ];
  const isWell = findings.every(({ state }) => state !== 'problem');
  return {
    value: {
      ok: isWell,
      version,
      settings: settings.map((setting) => ({ ...setting, value: setting.value || null })),
      limits: fixedLimits,
      findings,
    },
    exitCode: isWell ? 0 : 1,
    text: (paint, columns) =>
      [
        paint.bold('Settings'),
        ...settingRows(settings, paint),
        '',
        paint.bold('Fixed limits'),
        ...limitRows(paint, columns),
        '',
        paint.bold('Checks'),
        ...findings.flatMap((finding) => findingLines(finding, paint, columns)),
        '',
        summary(findings, paint),
      ].join('\n'),
  };
}

const fixedLimits = Object.entries(limitTable).flatMap(([name, { option, ...limit }]) =>
  option === undefined ? [{ name, ...limit }] : [],
);

function limitRows(paint: Paint, columns: number): string[] {
  const width = Math.max(...fixedLimits.map((limit) => widthOf(formatLimit(limit))));
  return fixedLimits.flatMap((limit) => {
    const [first = '', ...rest] = wrapped(limit.reason, Math.max(20, columns - width - 5));
    const indent = ' '.repeat(width + 4);
    const lines = [`  ${padded(formatLimit(limit), width)}  ${first}`, ...rest.map((line) => indent + line)];
    return lines.map(paint.dim);
  });
}

function isStoreOption({ name, source }: Setting): boolean {
  return name === 'store' && source === 'option';
}

/** Every setting with its source; those that somebody has set stand out. */
function settingRows(settings: readonly Setting[], paint: Paint): string[] {
  const rows = settings.map(({ name, value, source, variable }) => ({
    name,
    value: safeText(value === '' ? 'not set' : value),
    origin: source === 'environment' ? `environment (${variable})` : source,
    brush: source === 'default' ? paint.dim : (text: string) => text,
  }));
  const widest = (texts: readonly string[]) => Math.min(40, Math.max(...texts.map(widthOf)));
  const nameWidth = widest(rows.map(({ name }) => name));
  const valueWidth = widest(rows.map(({ value }) => value));
  return rows.map(({ name, value, origin, brush }) =>
    brush(`  ${padded(name, nameWidth)}  ${padded(value, valueWidth)}  ${origin}`),
  );
}

function findingLines({ about, state, message, fix }: Finding, paint: Paint, columns: number): string[] {
  const signs = { ok: paint.good('✔'), note: paint.warn('!'), problem: paint.bad('✘') };
  const indent = ' '.repeat(13);
  const room = Math.max(20, columns - indent.length - 1);
  const [first = '', ...rest] = wrapped(safeText(message), room);
  const fixLines = fix === undefined ? [] : wrapped(`→ ${safeText(fix)}`, room).map(paint.accent);
  return [
    `  ${signs[state]} ${about.padEnd(9)}${first}`,
    ...[...rest, ...fixLines].map((line) => indent + line),
  ];
}

function summary(findings: readonly Finding[], paint: Paint): string {
  const [problems = 0, notes = 0] = (['problem', 'note'] as const).map(
    (wanted) => findings.filter(({ state }) => state === wanted).length,
  );
  if (problems > 0) return `${paint.bad('✘')} ${plural(problems, 'thing is', 'things are')} wrong.`;
  const warnings = `Nothing is broken; ${plural(notes, 'warning')}.`;
  return `${paint.good('✔')} ${notes === 0 ? 'Nothing is wrong.' : warnings}`;
}
