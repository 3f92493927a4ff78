import { Command, type Option } from 'commander';
import { isExposed, isLoopback, newServeConfig, type ServeConfig } from '../../../server/settings/config.ts';
import type { Invocation } from '../../program/command-io.ts';
import { presentIn } from '../../program/report.ts';
import { findSettingsProblem, withSecrets } from '../../serving/secrets.ts';
import { serveOptions } from '../../serving/serve-options.ts';
import type { Setting, Settings } from './examine.ts';
import { problem, sentenceOf } from './finding.ts';

const notes = `
Takes the options and environment variables of "typebadge serve", shows each setting and where it comes from,
and tries what the server would need: folders, content, store, ports. Nothing is changed; passwords are not
shown. Exit codes: 0 nothing is wrong, 1 something is (the report says how to fix it), 2 wrong usage.

Examples:
  $ typebadge doctor
  $ typebadge doctor --port 9000 --store redis://127.0.0.1:6379
  $ typebadge doctor --json`;

export function createDoctorCommand(invocation: Invocation): Command {
  const command = new Command('doctor')
    .description('Checks a server’s settings and environment, and says how to fix what is wrong.')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', notes);
  const watched = watchOptions();
  for (const option of watched.options) command.addOption(option);
  command.option('--json', 'print the result as JSON, for programs');
  return command.action(async () => {
    const { json = false, ...given } = command.opts<Record<string, unknown> & { json?: boolean }>();
    await presentIn(invocation, { json }, async (io) => {
      const settings = readSettings(watched, given, (name) => command.getOptionValueSource(name), io.env);
      const { examine } = await import('./examine.ts');
      return examine(settings, io);
    });
  });
}

/** The options of `serve`, which remember what was given and what is wrong; `serve` ends at once. */
export interface WatchedOptions {
  readonly options: readonly Option[];
  /** The texts given, by the option's attribute name. */
  readonly texts: ReadonlyMap<string, readonly string[]>;
  /** What is wrong, by the same name. */
  readonly wrong: ReadonlyMap<string, string>;
}

function watchOptions(): WatchedOptions {
  const texts = new Map<string, string[]>();
  const wrong = new Map<string, string>();
  const options = serveOptions().map((option) => {
    const { parseArg } = option;
    if (parseArg === undefined) return option;
    return option.argParser((text: string, before: unknown) => {
      const name = option.attributeName();
      texts.set(name, [...(texts.get(name) ?? []), text]);
      try {
        return parseArg(text, before);
      } catch (error) {
        wrong.set(name, (error as Error).message);
        return before;
      }
    });
  });
  return { options, texts, wrong };
}

/**
 * @param given the values that commander has read
 * @param sourceOf as commander has it: `cli`, `env`, or neither
 */
function readSettings(
  { options, texts, wrong }: WatchedOptions,
  given: Readonly<Record<string, unknown>>,
  sourceOf: (name: string) => string | undefined,
  env: NodeJS.ProcessEnv,
): Settings {
  // Commander takes a parser's undefined for an empty text.
  const values = Object.entries(given).filter(([name, value]) => value !== '' || !wrong.has(name));
  const read = newServeConfig(Object.fromEntries(values));
  const { store, findings } = readSecrets(read, env);
  const config = { ...read, store };
  const list = options.map((option): Setting => {
    const name = option.attributeName();
    const source = sources[sourceOf(name) ?? ''] ?? 'default';
    const text = texts.get(name)?.join(', ') ?? String(given[name] ?? '');
    const value = source === 'default' ? defaultOf(option, config) : withoutSecrets(text);
    const isIdle = isIdleLimit(option.name(), source, config);
    return { name: option.name(), variable: option.envVar ?? '', source, value, isIdle };
  });
  const isWrong = (option: Option) => wrong.has(option.attributeName());
  const wrongValues = options.filter(isWrong).map((option) => {
    const name = sourceOf(option.attributeName()) === 'env' ? option.envVar : option.long;
    const message = `${name}: ${wrong.get(option.attributeName())}`;
    return problem('settings', message, 'Correct the value, or leave it out.');
  });
  const clash = findSettingsProblem(read, sourceOf('store') === 'cli');
  const clashes = clash === undefined ? [] : [problem('settings', clash)];
  const unread = options.filter(isWrong).map((option) => option.name());
  return { list, config, unread, findings: [...wrongValues, ...clashes, ...findings] };
}

const sources: Readonly<Record<string, Setting['source']>> = { cli: 'option', env: 'environment' };

function readSecrets({ store }: ServeConfig, env: NodeJS.ProcessEnv) {
  try {
    return { store: withSecrets(store, env), findings: [] };
  } catch (error) {
    return { store, findings: [problem('settings', sentenceOf(error), 'Correct the path, or its rights.')] };
  }
}

/** Two of these limits apply to programs of this machine, too, if the operator asks for them. */
function isIdleLimit(name: string, source: Setting['source'], config: ServeConfig): boolean {
  if (name === 'max-sessions-per-client' || name === 'keep-rounds') return !isExposed(config);
  if (source !== 'default') return false;
  if (name === 'max-connections-per-client') return isLoopback(config.host);
  return name === 'api-limit' && !isExposed(config);
}

/** The help of an option says its default; the data folder is that of this user. */
function defaultOf(option: Option, config: ServeConfig): string {
  if (option.name() === 'data') return config.data;
  return /\(default: ([^;)]*)/.exec(option.description)?.[1] ?? '';
}

/** Leaves out user names, passwords, and paths and queries of web addresses, which often hold a token. */
function withoutSecrets(text: string): string {
  return text.replaceAll(/:\/\/\S*@/g, '://…@').replaceAll(/(https?:\/\/[^/\s,?#]+)[/?#][^\s,]+/g, '$1/…');
}
