import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type RunningProcess, startServeProcess } from '../../../support/typebadge-process.ts';

/** Server processes with one store, behind a proxy in thought that takes one after another. */
export interface ReplicaGroup {
  /** The port whose turn it is; a replica that is down has its turn, too. */
  nextPort(): number;
  ports(): readonly number[];
  kill(at: number): Promise<void>;
  /** Starts a replica that was killed, on the folder that it had. */
  start(at: number): Promise<void>;
  freeze(at: number): void;
  thaw(at: number): void;
  /** Replaces its workers one by one, where it has any; resolves when its log says that it is done. */
  roll(at: number): Promise<void>;
  close(): Promise<void>;
}

export async function startReplicas(
  dir: string,
  count: number,
  args: readonly string[],
): Promise<ReplicaGroup> {
  const foldersOf = (at: number) => [
    ...['--content', join(dir, `content-${at}`)],
    ...['--data', join(dir, `data-${at}`)],
  ];
  for (let at = 0; at < count; at += 1) await mkdir(join(dir, `content-${at}`), { recursive: true });
  const begin = (at: number) => startServeProcess([...foldersOf(at), ...args]);
  const running = await Promise.all(Array.from({ length: count }, (_, at) => begin(at)));
  const at = (index: number) => running[index] as RunningProcess;
  let turn = 0;
  const end = async (index: number, signal: NodeJS.Signals) => {
    const { child, finished } = at(index);
    child.kill(signal);
    await finished;
  };
  return {
    nextPort: () => at(turn++ % count).port,
    ports: () => running.map(({ port }) => port),
    kill: (index) => end(index, 'SIGKILL'),
    async start(index) {
      running[index] = await begin(index);
    },
    freeze: (index) => void at(index).child.kill('SIGSTOP'),
    thaw: (index) => void at(index).child.kill('SIGCONT'),
    async roll(index) {
      const { child } = at(index);
      const rolled = new Promise<void>((resolve) => {
        let text = '';
        const look = (chunk: string) => {
          text += chunk;
          if (!text.includes('all workers were replaced')) return;
          child.stdout?.off('data', look);
          child.stderr?.off('data', look);
          resolve();
        };
        child.stdout?.on('data', look);
        child.stderr?.on('data', look);
      });
      child.kill('SIGUSR2');
      await rolled;
    },
    async close() {
      await Promise.all(running.map((_, index) => end(index, 'SIGKILL')));
    },
  };
}
