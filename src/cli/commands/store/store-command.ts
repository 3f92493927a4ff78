import { Command } from 'commander';
import { sentenceOf } from '../../program/arguments.ts';
import type { Invocation } from '../../program/command-io.ts';
import { presentIn } from '../../program/report.ts';
import { serveOptions } from '../../serving/serve-options.ts';
import type { StoreCommandOptions, StoreVerb } from './run-store.ts';

const overview = `
A store is the Redis or Valkey that several servers share (serve --store). These
commands copy what a server keeps in its folders into a store and back: content
(announcements, allow-list, editors), open sessions, finished rounds and the
counters of the badge. Existing data is never replaced, and nothing is counted
twice, so running them again, even after an interruption, is harmless. Servers
may run meanwhile; what they change after it was read is not copied.

Examples:
  $ typebadge store import --store redis://127.0.0.1:6379
  $ typebadge store check --store redis://127.0.0.1:6379
  $ typebadge store export --store redis://127.0.0.1:6379 --data ./data --content ./content`;

const verbs: Readonly<Record<StoreVerb, string>> = {
  import: 'copy folders into a store',
  export: 'copy a store into folders',
  check: 'compare folders and store; exit code 1 if they differ',
};

const shared = ['store', 'store-prefix', 'data', 'content', 'session-ttl', 'keep-rounds'];

export function createStoreCommand(invocation: Invocation): Command {
  const store = new Command('store')
    .description('Copies what a server keeps between its folders and a store, and compares the two.')
    .addHelpText('after', overview);
  for (const name of ['import', 'export', 'check'] as const)
    store.addCommand(newSubcommand(invocation, name));
  return store;
}

function newSubcommand(invocation: Invocation, name: StoreVerb): Command {
  const summary = verbs[name];
  const command = new Command(name)
    .summary(summary)
    .description(sentenceOf(summary))
    .addHelpText('after', `\nExample:\n  $ typebadge store ${name} --store redis://127.0.0.1:6379`);
  for (const option of serveOptions()) if (shared.includes(option.name())) command.addOption(option);
  command.option('--json', 'print the result as JSON, for programs');
  return command.action(async () => {
    const given = command.opts<Omit<StoreCommandOptions, 'isStoreOnCommandLine'>>();
    const options = { ...given, isStoreOnCommandLine: command.getOptionValueSource('store') === 'cli' };
    await presentIn(invocation, options, async (io) =>
      (await import('./run-store.ts')).runStore(name, options, io),
    );
  });
}
