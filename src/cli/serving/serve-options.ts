import { InvalidArgumentError, Option } from 'commander';
import { findSimilar } from '../../kit/similar-name.ts';
import { settings } from '../../server/settings/config.ts';
import { UsageError } from '../program/command-io.ts';
import { secretVariables } from './secrets.ts';

/** Every option of `serve`, each also an environment variable. */
export function serveOptions(): Option[] {
  return Object.entries(settings).map(([key, { notation, about, parse, isList }]) => {
    const name = key.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
    const option = new Option(`${key === 'port' ? '-p, ' : ''}--${name} ${notation}`.trim(), about);
    option.env(`TYPEBADGE_${name.toUpperCase().replaceAll('-', '_')}`);
    if (notation === '') return option;
    return option.argParser((text: string, before: unknown) => {
      const value = parseArgument(parse, text);
      return isList ? [before ?? [], value].flat() : value;
    });
  });
}

/** The message of a parser becomes commander's error, which names the option or the variable. */
function parseArgument(parse: (text: string) => unknown, text: string): unknown {
  try {
    return parse(text);
  } catch (error) {
    const { message } = error as Error;
    // Commander would repeat the address.
    if (text.includes('@')) throw new UsageError(message);
    throw new InvalidArgumentError(message);
  }
}

/** Variables that are not options of `serve`. */
const otherVariables = [
  ...secretVariables,
  'TYPEBADGE_SERVER',
  'TYPEBADGE_TOKEN',
  'TYPEBADGE_EDITOR',
  'TYPEBADGE_PROFILE',
  'TYPEBADGE_DEBUG',
];

/** A sentence for each variable that looks like ours but is not read, with the question which was meant. */
export function unknownVariables(env: NodeJS.ProcessEnv): { message: string; fix: string | undefined }[] {
  const known = [...serveOptions().map(({ envVar = '' }) => envVar), ...otherVariables];
  const unknown = Object.keys(env).filter((name) => /^TYPE/i.test(name) && !known.includes(name));
  return unknown.sort().flatMap((name) => {
    const similar = findSimilar(name, known);
    if (similar === undefined && !name.startsWith('TYPEBADGE_')) return [];
    const fix = similar && `Did you mean ${similar}?`;
    return [{ message: `${name} is not a variable that typebadge reads.`, fix }];
  });
}
