import cluster from 'node:cluster';
import { Command } from 'commander';
import { visibleText } from '../../../kit/visible-text.ts';
import type { Invocation } from '../../program/command-io.ts';
import {
  readConfig,
  readWebhookSecret,
  serveOptions,
  unknownVariables,
} from '../../serving/serve-options.ts';

const examples = `
Every option is also an environment variable (TYPEBADGE_PORT, TYPEBADGE_ALLOW_ORIGIN, …); the flag wins. \
One dash is enough for long options: -port 8787 is --port 8787. \
"typebadge doctor" shows what a server with these options does, and the limits that are fixed.

Examples:
  $ typebadge serve
  $ typebadge serve --port 9000 --allow-origin 'https://*.example.org'
  $ typebadge serve --host 0.0.0.0 --allow-host badge.example.org
  $ typebadge serve --port 0 --log json`;

export function createServeCommand({ io: { env, err } }: Invocation): Command {
  const command = new Command('serve')
    .description('Serve the badge (script, stylesheet, logo, announcements, pages) and the typing API.')
    .addHelpText('after', examples)
    .action(async () => {
      // A misspelt variable would be silently ignored; some restrict access. Workers leave it to their parent.
      for (const { message, fix } of cluster.isPrimary ? unknownVariables(env) : [])
        if (fix !== undefined) err.write(`Warning: ${visibleText(message)} ${fix}\n`);
      const config = readConfig(command, env);
      const { runServer } = await import('./run-server.ts');
      await runServer({ ...config, webhookSecret: readWebhookSecret(config.webhook.length > 0, env) });
    });
  for (const option of serveOptions()) command.addOption(option);
  return command;
}
