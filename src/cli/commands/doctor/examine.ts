import { resolve } from 'node:path';
import { readPackageVersion } from '../../../kit/package-files.ts';
import { isExposed, isLoopback, type ServeConfig } from '../../../server/settings/config.ts';
import { findMissingProxy, proxyFix } from '../../../server/settings/proxy-warnings.ts';
import { resolveContentFolder } from '../../../server/stores/content/content-folder.ts';
import type { CommandIo } from '../../program/command-io.ts';
import type { Report } from '../../program/report.ts';
import { checkContentFolder } from './content-checks.ts';
import { toDoctorText } from './doctor-text.ts';
import type { EffectiveSetting, EffectiveSettings } from './effective-settings.ts';
import { type Finding, note, ok } from './finding.ts';
import { checkFolder } from './folder-rights.ts';
import { checkVariables } from './known-variables.ts';
import { checkPorts } from './port-checks.ts';
import { checkNamed } from './setting-checks.ts';
import type { StoreFindings } from './store-checks.ts';

/** This version was made after it: a clock before it is wrong. */
const madeAfter = Date.UTC(2026, 0, 1);
const centuries = Date.UTC(2200, 0, 1);

/** Where one of these could not be read, nothing is said about the subject: a finding would be about the default. */
const settingsOf: Readonly<Record<string, readonly string[]>> = {
  access: ['host', 'allow-host', 'public-url', 'trust-proxy'],
  store: ['store'],
  port: ['host', 'port'],
  metrics: ['metrics'],
};

/** Looks at everything that a server with these settings would need. */
export async function examine(settings: EffectiveSettings, io: CommandIo): Promise<Report> {
  const { config } = settings;
  const list = await withFoundContent(settings.list, io);
  const dataDir = resolve(io.cwd, config.data);
  const store = await checkStoreOf(config, io);
  const found = [
    ok(
      'program',
      `typebadge ${readPackageVersion()} on Node.js ${process.versions.node}, ${process.platform}.`,
    ),
    ...settings.findings,
    ...checkVariables(
      io.env,
      list.map(({ variable }) => variable),
    ),
    ...(await checkNamed(config, io)),
    ...checkExposure(config),
    ...(await checkContentFolder(namedContent(settings), store.hasContent, io)),
    ...(await checkFolder({ about: 'data' }, dataDir)),
    ...store.findings,
    ...checkClock(io.now()),
    ...(await checkPorts(config, dataDir)),
  ];
  const findings = found.filter(
    ({ about }) => !settingsOf[about]?.some((name) => settings.unread.includes(name)),
  );
  const isWell = findings.every(({ state }) => state !== 'problem');
  return {
    value: { ok: isWell, version: readPackageVersion(), settings: list.map(withHidden), findings },
    exitCode: isWell ? 0 : 1,
    toText: (paint, columns) => toDoctorText(list, findings, paint, columns),
  };
}

function withHidden({ name, variable, source, value, isIdle }: EffectiveSetting) {
  return {
    name,
    value: value === '' ? null : value,
    source,
    variable,
    ...(isIdle ? { applies: false } : {}),
  };
}

/** Where no folder is named, one is found: that is what people want to know. */
async function withFoundContent(
  list: readonly EffectiveSetting[],
  { env, cwd }: CommandIo,
): Promise<readonly EffectiveSetting[]> {
  const found = await resolveContentFolder({ env, cwd, onlyLooks: true }).catch(() => undefined);
  const isFound = ({ name, source }: EffectiveSetting) => name === 'content' && source === 'default';
  return list.map((setting) => (isFound(setting) && found ? { ...setting, value: found.dir } : setting));
}

/** The content folder of the option alone: what the variable names is found by that name, and called by it. */
function namedContent({ config: { content }, list }: EffectiveSettings): string | undefined {
  const isOfVariable = list.some(({ name, source }) => name === 'content' && source === 'environment');
  return isOfVariable && content !== '' ? undefined : content;
}

/** What is allowed, but rarely meant. */
function checkExposure(config: ServeConfig): Finding[] {
  const missing = findMissingProxy(config);
  if (missing !== undefined) return [{ about: 'access', state: 'problem', message: missing, fix: proxyFix }];
  if (!isExposed(config)) return [ok('access', 'Only programs of this machine reach the server.')];
  const findings = [
    ok('access', 'Strangers can reach the server: players are kept apart, and limits apply.'),
  ];
  if (!isLoopback(config.host) && config.allowHost.length === 0) {
    findings.push(
      note('access', 'It answers to every host name.', 'Name those it should answer to with --allow-host.'),
    );
  }
  if (config.publicUrl === undefined) {
    const message = 'Feeds, pages and tags name the address it listens on, which visitors cannot reach.';
    findings.push(note('access', message, 'Set --public-url.'));
  }
  return findings;
}

async function checkStoreOf(
  { store: address, storePrefix: prefix }: ServeConfig,
  { now }: CommandIo,
): Promise<StoreFindings> {
  if (address === undefined) {
    const findings = [ok('store', 'None: sessions and rounds are in the data folder.')];
    return { findings, hasContent: false };
  }
  const { checkStoreAt } = await import('./store-checks.ts');
  return checkStoreAt({ address, prefix, now });
}

function checkClock(now: number): Finding[] {
  const time = new Date(now).toISOString();
  if (now > madeAfter && now < centuries) return [ok('clock', `It is ${time}.`)];
  const message = `This machine says that it is ${time}: announcements begin and end by this clock.`;
  return [
    {
      about: 'clock',
      state: 'problem',
      message,
      fix: 'Set the clock, preferably with a time service (NTP).',
    },
  ];
}
