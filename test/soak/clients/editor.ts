import { runTypebadge } from '../../support/typebadge-process.ts';
import type { Tally } from '../figures/tally.ts';
import { pause } from '../world.ts';
import type { Ask } from './exchange.ts';

/** How long a change may take until it shows before that is a fault, in milliseconds: the machine is fully loaded. */
const longestWait = 10_000;

export interface Editor {
  /** Every message that a reader may have seen. */
  readonly messages: ReadonlySet<string>;
  /** Ends after the present change. */
  stop(): Promise<void>;
}

/** Publishes, edits and undoes by the real commands, over and over, and waits for each change to show. */
export function startEditor(contentDir: string, firstMessage: string, ask: () => Ask, tally: Tally): Editor {
  const messages = new Set([firstMessage]);
  let isStopped = false;

  const run = async (kind: string, ...args: string[]) => {
    const start = performance.now();
    const { code, stderr } = await runTypebadge([
      'announce',
      ...args,
      '--content',
      contentDir,
      '--by',
      'soak',
    ]);
    tally.record(`editor: ${kind}`, performance.now() - start);
    if (code !== 0) tally.fault(`editor: ${kind} ended with ${code}: ${stderr.slice(0, 200)}`);
  };
  const see = async (kind: string, message: string) => {
    const start = performance.now();
    for (;;) {
      const { body, status } = await ask()({
        path: '/content/announcement.json',
        headers: { 'X-Forwarded-For': `198.51.100.${Math.floor(Math.random() * 255)}` },
      });
      if (status === 200 && JSON.parse(body.toString()).message === message) break;
      if (performance.now() - start > longestWait) return tally.fault(`editor: ${kind} does not show`);
      await pause(100);
    }
    tally.record(`editor: ${kind} shows`, performance.now() - start);
  };
  const work = async () => {
    for (let round = 1; !isStopped; round++) {
      const text = `Message ${round} of the soak`;
      const better = `${text}, corrected`;
      const id = `soak-${round}`;
      messages.add(text).add(better);
      await run('publish', 'publish', text, '--id', id, '--expires', '+30d');
      await see('publish', text);
      await run('edit', 'edit', id, '--message', better);
      await see('edit', better);
      await run('undo', 'undo');
      await see('undo', text);
      await run('undo', 'undo');
      await see('undo', firstMessage);
      await pause(1000);
    }
  };
  const worked = work().catch((error: Error) => tally.fault(`editor: ${error.message}`));
  return {
    messages,
    stop() {
      isStopped = true;
      return worked;
    },
  };
}
