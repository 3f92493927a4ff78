import type { Option } from 'commander';
import { isExposed, isLoopback, newServeConfig, type ServeConfig } from '../../../server/settings/config.ts';
import type { CommandIo } from '../../program/command-io.ts';
import { serveOptions } from '../../serving/serve-options.ts';
import { findSettingsProblem } from '../../serving/serve-problems.ts';
import { withSecrets } from '../../serving/store-secrets.ts';
import { type Finding, problem, reasonOf } from './finding.ts';

/** A setting as the server would have it. */
export interface EffectiveSetting {
  /** The option's name, without dashes. */
  readonly name: string;
  readonly variable: string;
  /** Where the value comes from. */
  readonly source: 'option' | 'environment' | 'default';
  /** As text; without passwords. Empty where there is none. */
  readonly value: string;
  /** Whether it is a limit for strangers, and the server is on loopback, where it does not apply. */
  readonly isIdle: boolean;
}

export interface EffectiveSettings {
  readonly list: readonly EffectiveSetting[];
  /** What the server would run with, as far as the settings are right. */
  readonly config: ServeConfig;
  /** The options whose values could not be read, so that `config` has their defaults. */
  readonly unread: readonly string[];
  readonly findings: readonly Finding[];
}

/** The options of `serve`, which remember what was given and what is wrong with it. */
export interface WatchedOptions {
  readonly options: readonly Option[];
  /** The texts given, by the option's attribute name. */
  readonly texts: ReadonlyMap<string, readonly string[]>;
  readonly wrong: readonly { readonly option: Option; readonly message: string }[];
}

/** Where `serve` ends at the first wrong value, this goes on and remembers all of them. */
export function watchOptions(): WatchedOptions {
  const texts = new Map<string, string[]>();
  const wrong: { option: Option; message: string }[] = [];
  const options = serveOptions().map((option) => {
    const { parseArg } = option;
    if (parseArg === undefined) return option;
    return option.argParser((text: string, before: unknown) => {
      const name = option.attributeName();
      texts.set(name, [...(texts.get(name) ?? []), text]);
      try {
        return parseArg(text, before);
      } catch (error) {
        wrong.push({ option, message: reasonOf(error) });
        return before;
      }
    });
  });
  return { options, texts, wrong };
}

/** @param sourceOf as commander has it: `cli`, `env`, or neither */
export function readSettings(
  { options, texts, wrong }: WatchedOptions,
  given: Readonly<Record<string, unknown>>,
  sourceOf: (name: string) => string | undefined,
  io: CommandIo,
): EffectiveSettings {
  // Commander takes a parser's undefined for an empty text.
  const isWrong = (name: string) => wrong.some(({ option }) => option.attributeName() === name);
  const values = Object.entries(given).filter(([name, value]) => value !== '' || !isWrong(name));
  const config = newServeConfig(Object.fromEntries(values));
  const toSource = (name: string) => {
    const source = sourceOf(name);
    if (source === 'cli') return 'option';
    return source === 'env' ? 'environment' : 'default';
  };
  const list = options.map((option): EffectiveSetting => {
    const name = option.attributeName();
    const source = toSource(name);
    const text = texts.get(name)?.join(', ') ?? String(given[name] ?? '');
    const value = source === 'default' ? defaultOf(option, config) : withoutSecrets(text);
    const isIdle = isLimitForStrangers(option.name(), source, config);
    return { name: option.name(), variable: option.envVar ?? '', source, value, isIdle };
  });
  const wrongValues = wrong.map(({ option, message }) =>
    problem('settings', `${nameOf(option, toSource)}: ${message}`, 'Correct the value, or leave it out.'),
  );
  const clash = findSettingsProblem(config, sourceOf('store') === 'cli');
  const { store, finding } = readPassword(config, io);
  return {
    list,
    config: { ...config, store },
    unread: wrong.map(({ option }) => option.name()),
    findings: [
      ...wrongValues,
      ...(clash === undefined ? [] : [problem('settings', clash)]),
      ...(finding === undefined ? [] : [finding]),
    ],
  };
}

/** Two of these limits apply to programs of this machine, too, where the operator asks for them. */
function isLimitForStrangers(name: string, source: EffectiveSetting['source'], config: ServeConfig): boolean {
  switch (name) {
    case 'max-sessions-per-client':
    case 'keep-rounds':
      return !isExposed(config);
    case 'api-limit':
      return source === 'default' && !isExposed(config);
    case 'max-connections-per-client':
      return source === 'default' && isLoopback(config.host);
    default:
      return false;
  }
}

function readPassword(
  { store }: ServeConfig,
  io: CommandIo,
): { readonly store: ServeConfig['store']; readonly finding?: Finding } {
  try {
    return { store: withSecrets(store, io.env) };
  } catch (error) {
    return { store, finding: problem('settings', reasonOf(error), 'Correct the path, or its rights.') };
  }
}

function nameOf(option: Option, toSource: (name: string) => EffectiveSetting['source']): string {
  return toSource(option.attributeName()) === 'environment' ? (option.envVar ?? '') : (option.long ?? '');
}

/** The help of an option says its default; folders are those of this user. */
function defaultOf(option: Option, config: ServeConfig): string {
  if (option.name() === 'data') return config.data;
  return /\(default: ([^;)]*)/.exec(option.description)?.[1] ?? '';
}

/** User names and passwords of addresses; and paths and queries of web addresses, which often hold a token. */
function withoutSecrets(text: string): string {
  return text.replaceAll(/:\/\/\S*@/g, '://…@').replaceAll(/(https?:\/\/[^/\s,?#]+)[/?#][^\s,]+/g, '$1/…');
}
