import type { Command } from 'commander';

/** Options, and what people try in their place. */
const otherNames: Readonly<Record<string, readonly string[]>> = {
  '--expires': ['until', 'end', 'ends', 'end-date', 'ending', 'expiry', 'expire', 'expires-at'],
  '--at': ['from', 'start', 'starts', 'start-date', 'begin', 'when', 'on', 'date', 'schedule'],
  '--link': ['url', 'href', 'address'],
  '--link-label': ['label', 'link-text', 'link-title'],
  '--severity': ['level', 'priority', 'importance', 'type', 'kind'],
  '--not-dismissible': ['sticky', 'pinned', 'persistent', 'no-dismiss', 'no-dismissible'],
  '--translation': ['translate', 'translations'],
  '--lang': ['language', 'locale'],
  '--site': ['origin', 'sites', 'domain'],
  '--path': ['page', 'pages', 'paths'],
  '--message': ['text', 'body'],
  '--zone': ['tz', 'timezone', 'time-zone'],
  '--by': ['author', 'as'],
  '--limit': ['count', 'max'],
  '--search': ['filter', 'find', 'grep'],
  '--state': ['status'],
  '--dry-run': ['simulate', 'dry'],
  '--yes': ['force', 'confirm'],
  '--content': ['dir', 'directory', 'folder'],
};

/** What a command takes as an argument, though it looks like an option of it: how it is written. */
const asArgument: Readonly<Record<string, string>> = {
  'publish --message': 'Write the message without an option: typebadge announce publish "…"',
};

/**
 * What may have been meant by an option that a command does not have, as a sentence: another one of the command, or the commands beside
 * it that have this one. Undefined where there is no guess.
 *
 * @param given as it was typed, such as `--until` or `--until=friday`
 */
export function guessOption(given: string, command: Command): string | undefined {
  const [, name = ''] = /^--?([a-z][a-z-]+)/i.exec(given.toLowerCase()) ?? [];
  const written = asArgument[`${command.name()} --${name}`];
  if (name === '' || written !== undefined) return written;
  const meant = Object.keys(otherNames).find(
    (option) => otherNames[option]?.includes(name) === true && has(command, option),
  );
  if (meant !== undefined) return `Did you mean ${meant}?`;
  const others = command.parent?.commands.filter((other) => has(other, `--${name}`)) ?? [];
  if (others.length === 0) return undefined;
  return `--${name} is an option of ${others.map((other) => other.name()).join(', ')}`;
}

function has(command: Command, option: string): boolean {
  return command.options.some(({ long }) => long === option);
}
