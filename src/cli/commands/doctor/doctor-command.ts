import { Command } from 'commander';
import { readPackageVersion } from '../../../kit/package-files.ts';
import { plural, safeText, tableRows } from '../../../kit/terminal-text.ts';
import { isExposed, newServeConfig, type ServeConfig } from '../../../server/settings/config.ts';
import { formatLimit, limitTable } from '../../../server/settings/limits.ts';
import { besideHead } from '../../display/announcement-text.ts';
import type { Invocation } from '../../program/command-io.ts';
import { type Paint, paragraphs, presentIn, type Report } from '../../program/report.ts';
import { serveOptions } from '../../serving/serve-options.ts';
import type { Finding } from './checks.ts';

const notes = `
Takes the options and environment variables of "typebadge serve", shows each setting and where it comes from, \
and tries what the server would need: folders, content, store, ports. Nothing is changed; passwords are not \
shown. Exit codes: 0 nothing is wrong, 1 something is (the report says how to fix it), 2 wrong usage.

Examples:
  $ typebadge doctor
  $ typebadge doctor --port 9000 --store redis://127.0.0.1:6379
  $ typebadge doctor --json`;

interface Setting {
  /** The option's name, without dashes. */
  readonly name: string;
  /** As text, without passwords; null: it is not set. */
  readonly value: string | null;
  readonly source: 'option' | 'environment' | 'default';
  readonly variable: string;
}

export function createDoctorCommand(invocation: Invocation): Command {
  const command = new Command('doctor')
    .description('Check a server’s settings and environment, and say how to fix what is wrong.')
    .addHelpText('after', notes);
  const options = serveOptions();
  // They cannot be restored from the parsed values.
  const texts = new Map<string, string>();
  for (const option of options) {
    const name = option.attributeName();
    const keep = (text = 'true') => texts.set(name, texts.has(name) ? `${texts.get(name)}, ${text}` : text);
    command.addOption(option).on(`option:${option.name()}`, keep).on(`optionEnv:${option.name()}`, keep);
  }
  command.option('--json', 'print the result as JSON, for programs');
  return command.action(async () => {
    const { json = false, ...given } = command.opts<Partial<ServeConfig> & { json?: boolean }>();
    const config = newServeConfig(given);
    const ofThisServer: Readonly<Record<string, string>> = {
      data: config.data,
      ...(!isExposed(config) && { apiLimit: 'off' }),
    };
    const settings = options.map((option): Setting => {
      const name = option.attributeName();
      const source = sources[command.getOptionValueSource(name) ?? ''] ?? 'default';
      // The help of an option says its default.
      const [, usual] = /\(default: ([^;)]*)/.exec(option.description) ?? [];
      const value =
        source === 'default' ? (ofThisServer[name] ?? usual) : withoutSecrets(texts.get(name) ?? '');
      return { name: option.name(), value: value ?? null, source, variable: option.envVar ?? '' };
    });
    await presentIn(invocation, { json }, async (io) => {
      const { checkServer } = await import('./checks.ts');
      const isStoreGiven = command.getOptionValueSource('store') === 'cli';
      return newReport(settings, await checkServer(config, isStoreGiven, io));
    });
  });
}

const sources: Readonly<Record<string, Setting['source']>> = { cli: 'option', env: 'environment' };

/** Removes user names and passwords, and paths and queries of web addresses, which often hold a token. */
function withoutSecrets(text: string): string {
  return text.replaceAll(/:\/\/\S*@/g, '://…@').replaceAll(/(https?:\/\/[^/\s,?#]+)[/?#][^\s,]+/g, '$1/…');
}

const fixedLimits = Object.entries(limitTable).flatMap(([name, { option, ...limit }]) =>
  option === undefined ? [{ name, ...limit }] : [],
);

function newReport(settings: readonly Setting[], findings: readonly Finding[]): Report {
  const isWell = findings.every(({ state }) => state !== 'problem');
  const limitLines = (columns: number) =>
    fixedLimits.flatMap((limit) =>
      besideHead(`  ${formatLimit(limit).padEnd(20)}`, limit.reason, 22, columns),
    );
  return {
    value: { ok: isWell, version: readPackageVersion(), settings, limits: fixedLimits, findings },
    exitCode: isWell ? 0 : 1,
    text: (paint, columns) =>
      paragraphs(
        [paint.bold('Settings'), ...settingRows(settings, paint)],
        [paint.bold('Fixed limits'), ...limitLines(columns).map(paint.dim)],
        [paint.bold('Checks'), ...findings.flatMap((finding) => findingLines(finding, paint, columns))],
        summary(findings, paint),
      ),
  };
}

/** Every setting with its source; those that somebody has set stand out. */
function settingRows(settings: readonly Setting[], paint: Paint): string[] {
  const cells = settings.map(({ name, value, source, variable }) => [
    name,
    safeText(value ?? 'not set'),
    source === 'environment' ? `environment (${variable})` : source,
  ]);
  const rows = tableRows(cells, 40).map((row) => `  ${row}`);
  return rows.map((row, at) => (settings[at]?.source === 'default' ? paint.dim(row) : row));
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
