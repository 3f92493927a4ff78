import { Command } from 'commander';
import { newServeConfig, type ServeConfig } from '../../../server/settings/config.ts';
import { type Invocation, UsageError } from '../../program/command-io.ts';
import { findSettingsProblem, readWebhookSecret, withSecrets } from '../../serving/secrets.ts';
import { serveOptions } from '../../serving/serve-options.ts';

const examples = `
Every option is also an environment variable (TYPEBADGE_PORT, TYPEBADGE_ALLOW_ORIGIN, …); the flag wins.
One dash is enough for long options: -port 8787 is --port 8787.
"typebadge doctor" shows what a server with these options does, and the limits that are fixed.

Examples:
  $ typebadge serve
  $ typebadge serve --port 9000 --allow-origin https://example.org --allow-origin 'https://*.example.org'
  $ typebadge serve --host 0.0.0.0 --allow-host badge.example.org --trust-proxy 10.0.0.0/8
  $ typebadge serve --port 0 --log json`;

export function createServeCommand({ io }: Invocation): Command {
  const command = new Command('serve')
    .description('Serves the badge (script, stylesheet, logo, announcements, pages) and the typing API.')
    .helpOption('-h, --help', 'print this help')
    .addHelpText('after', examples)
    .action(async () => {
      const config = newServeConfig(command.opts<Partial<ServeConfig>>());
      const problem = findSettingsProblem(config, command.getOptionValueSource('store') === 'cli');
      if (problem !== undefined) throw new UsageError(problem);
      const { runServer } = await import('./run-server.ts');
      const webhookSecret = readWebhookSecret(config.webhook.length > 0, io.env);
      await runServer({ ...config, store: withSecrets(config.store, io.env), webhookSecret });
    });
  for (const option of serveOptions()) command.addOption(option);
  return command;
}
