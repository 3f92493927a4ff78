import kleur from 'kleur';
import type { ServeConfig } from '../server/config.ts';
import { type RunningServer, startServer } from '../server/start.ts';

/** Serves until SIGTERM or SIGINT, then ends what runs, saves everything and resolves. */
export async function runServer(config: ServeConfig): Promise<void> {
  // Listening for signals comes first: whoever reads the start message may send one the next moment.
  const stopped = signalled();
  const server = await startServer(config);
  process.stdout.write(config.log === 'json' ? toJsonLine(server) : toWelcome(server, config));
  await stopped;
  await server.close();
}

/** A second signal is the user's way to say "at once": by then the handlers are gone, so it ends the process. */
function signalled(): Promise<void> {
  return new Promise((resolve) => {
    const stop = () => {
      process.off('SIGTERM', stop);
      process.off('SIGINT', stop);
      resolve();
    };
    process.on('SIGTERM', stop);
    process.on('SIGINT', stop);
  });
}

function toJsonLine({ url, contentDir, dataDir }: RunningServer): string {
  return `${JSON.stringify({ message: 'listening', url, content: contentDir, data: dataDir })}\n`;
}

function toWelcome({ url, contentDir, dataDir }: RunningServer, config: ServeConfig): string {
  const { brand, verbose, publicUrl = url } = config;
  const rows = [
    ['Try the badge', `${publicUrl}/demo`],
    ['Announcements', `${publicUrl}/history`],
    ['Typing API', `${publicUrl}/api/openapi.json`],
    ['Embed it', `<script src="${publicUrl}/js/${brand}-inject.min.js" defer></script>`],
    ...(verbose ? [['Content', contentDir] as const, ['Data', dataDir] as const] : []),
  ] as const;
  const lines = rows.map(([name, value]) => `  ${kleur.dim(name.padEnd(14))} ${value}`);
  return `\n  ${kleur.bold('typebadge')} is serving at ${kleur.cyan(url)}\n\n${lines.join('\n')}\n\n  Stop it with Ctrl+C.\n\n`;
}
