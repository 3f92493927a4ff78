import { resolve } from 'node:path';
import { readPackageVersion } from '../../../kit/package-files.ts';
import { padded, plural, safeText, widthOf, wrapped } from '../../../kit/terminal-text.ts';
import { readLogo } from '../../../server/badge/pictures/logo.ts';
import { isExposed, isLoopback, type ServeConfig } from '../../../server/settings/config.ts';
import { formatLimit, limitTable } from '../../../server/settings/limits.ts';
import { findMissingProxy, proxyFix } from '../../../server/settings/proxy-warnings.ts';
import { resolveContentFolder } from '../../../server/stores/content/content-folder.ts';
import type { CommandIo } from '../../program/command-io.ts';
import type { Paint } from '../../program/paint.ts';
import type { Report } from '../../program/report.ts';
import { readWebhookSecret } from '../../serving/secrets.ts';
import {
  checkContentFolder,
  checkFolder,
  checkPort,
  checkStoreAt,
  noOrigins,
  type StoreFindings,
} from './checks.ts';
import { type Finding, note, ok, problem, sentenceOf } from './finding.ts';
import { checkVariables } from './known-variables.ts';

/** A setting as the server would have it. */
export interface Setting {
  /** The option's name, without dashes. */
  readonly name: string;
  readonly variable: string;
  readonly source: 'option' | 'environment' | 'default';
  /** As text; without passwords. Empty if it is not set. */
  readonly value: string;
  /** Whether it is a limit for strangers, and the server is on loopback, where it does not apply. */
  readonly isIdle: boolean;
}

export interface Settings {
  readonly list: readonly Setting[];
  /** What the server would run with; defaults for what could not be read. */
  readonly config: ServeConfig;
  /** Names of the options that could not be read. */
  readonly unread: readonly string[];
  readonly findings: readonly Finding[];
}

/** Skips the checks of a subject if one of these options is invalid: they would check the default. */
const settingsOf: Readonly<Record<string, readonly string[]>> = {
  access: ['host', 'allow-host', 'public-url', 'trust-proxy'],
  store: ['store'],
  port: ['host', 'port'],
  metrics: ['metrics'],
};

/** Tries what a server with these settings needs, without changing anything. */
export async function examine(settings: Settings, io: CommandIo): Promise<Report> {
  const { config, unread } = settings;
  const version = readPackageVersion();
  const list = await withFoundContent(settings.list, io);
  const dataDir = resolve(io.cwd, config.data);
  const store = await storeFindings(config, io);
  const texts = [
    ...(await checkContentFolder(namedContent(settings), store.hasContent, io)),
    ...store.findings,
  ];
  const found = [
    ok('program', `typebadge ${version} on Node.js ${process.versions.node}, ${process.platform}.`),
    ...settings.findings,
    ...checkVariables(io.env),
    ...(await checkLogo(config, io.cwd)),
    ...checkSecret(config, io.env),
    ...checkExposure(config),
    ...(needsOrigins(config) ? texts : texts.filter((finding) => finding !== noOrigins)),
    await checkFolder('data', dataDir),
    await checkPort('port', config, dataDir),
    ...(config.metrics === undefined ? [] : [await checkPort('metrics', config.metrics, dataDir)]),
  ];
  const findings = found.filter(({ about }) => !settingsOf[about]?.some((name) => unread.includes(name)));
  const isWell = findings.every(({ state }) => state !== 'problem');
  return {
    value: { ok: isWell, version, settings: list.map(settingJson), limits: fixedLimits, findings },
    exitCode: isWell ? 0 : 1,
    text: (paint, columns) =>
      [
        paint.bold('Settings'),
        ...settingRows(list, paint),
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

function settingJson({ name, variable, source, value, isIdle }: Setting) {
  const idle = isIdle ? { applies: false } : {};
  return { name, value: value === '' ? null : value, source, variable, ...idle };
}

/** If no folder is named, one is found: that is what people want to know. */
async function withFoundContent(
  list: readonly Setting[],
  { env, cwd }: CommandIo,
): Promise<readonly Setting[]> {
  const found = await resolveContentFolder({ env, cwd, isReadOnly: true }).catch(() => undefined);
  return list.map((setting) =>
    setting.name === 'content' && setting.source === 'default' && found !== undefined
      ? { ...setting, value: found.dir }
      : setting,
  );
}

/** The content folder of the option alone: that of the variable is found, and reported, by its name. */
function namedContent({ config: { content }, list }: Settings): string | undefined {
  const isOfVariable = list.some(({ name, source }) => name === 'content' && source === 'environment');
  return isOfVariable && content !== '' ? undefined : content;
}

async function checkLogo({ logo, brand }: ServeConfig, cwd: string): Promise<Finding[]> {
  if (logo === undefined) return [];
  try {
    await readLogo({ logo: resolve(cwd, logo), brand });
    return [ok('settings', `The logo ${logo} can be used.`)];
  } catch (error) {
    const fix = 'Correct --logo: an SVG or PNG file of at most 32 KiB.';
    return [problem('settings', sentenceOf(error), fix)];
  }
}

function checkSecret({ webhook }: ServeConfig, env: NodeJS.ProcessEnv): Finding[] {
  if (webhook.length === 0) return [];
  try {
    readWebhookSecret(true, env);
    return [ok('settings', 'Webhooks have a secret to sign with.')];
  } catch (error) {
    return [problem('settings', sentenceOf(error))];
  }
}

/** A server that strangers reach is there to be embedded. */
function needsOrigins(config: ServeConfig): boolean {
  return isExposed(config) && config.allowOrigin.length === 0;
}

/** Settings that are allowed, but rarely intended. */
function checkExposure(config: ServeConfig): Finding[] {
  const missing = findMissingProxy(config);
  if (missing !== undefined) return [problem('access', missing, proxyFix)];
  if (!isExposed(config)) return [ok('access', 'Only programs of this machine reach the server.')];
  const answersToAll = !isLoopback(config.host) && config.allowHost.length === 0;
  const unreached = 'Feeds, pages and tags name the address it listens on, which visitors cannot reach.';
  return [
    ok('access', 'Strangers can reach the server: players are kept apart, and limits apply.'),
    ...(answersToAll
      ? [
          note(
            'access',
            'It answers to every host name.',
            'Name those it should answer to with --allow-host.',
          ),
        ]
      : []),
    ...(config.publicUrl === undefined ? [note('access', unreached, 'Set --public-url.')] : []),
  ];
}

async function storeFindings(config: ServeConfig, { now }: CommandIo): Promise<StoreFindings> {
  const { store: address, storePrefix: prefix } = config;
  if (address !== undefined) return checkStoreAt({ address, prefix }, now());
  const none = 'None: sessions and rounds are in the data folder.';
  return { findings: [ok('store', none)], hasContent: false };
}

/** Every setting with its source; those that somebody has set stand out. */
function settingRows(settings: readonly Setting[], paint: Paint): string[] {
  const rows = settings.map(({ name, value, source, variable, isIdle }) => ({
    name,
    value: safeText(value === '' ? 'not set' : value),
    origin: `${source}${source === 'environment' ? ` (${variable})` : ''}${isIdle ? ', not applied on loopback' : ''}`,
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
