import { packageFile } from '../../src/kit/package-files.ts';
import { startServeProcess } from '../support/typebadge-process.ts';
import { createTypingClient } from '../support/typing-client.ts';
import { readMemory } from './serving.ts';

/** Starts a server on a data folder, asks for its history, and says how many MB are resident then. */
export async function weighServer(data: string): Promise<number> {
  const { child, port, finished } = await startServeProcess([
    '--content',
    packageFile('content/sample'),
    '--data',
    data,
  ]);
  const client = createTypingClient(port);
  const id = await client.createSession();
  await client.history(id);
  const memory = readMemory(child.pid ?? 0) / 2 ** 20;
  await client.deleteSession(id);
  child.kill('SIGTERM');
  await finished;
  return memory;
}
