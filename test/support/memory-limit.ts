import { existsSync } from 'node:fs';
import { mkdir, rmdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A share of memory beyond which the system kills its processes, as `MemoryMax` of a systemd unit sets it. */
export interface MemoryLimit {
  /** Put before a command to run it within the limit. */
  readonly under: readonly string[];
  close(): Promise<void>;
}

/** Sets up a control group, of either version. Undefined where this machine does not permit that. */
export async function openMemoryLimit(bytes: number): Promise<MemoryLimit | undefined> {
  const isFirstVersion = existsSync('/sys/fs/cgroup/memory');
  const root = isFirstVersion ? '/sys/fs/cgroup/memory' : '/sys/fs/cgroup';
  const group = join(root, `typebadge-test-${process.pid}-${Date.now()}`);
  try {
    await mkdir(group);
    await writeFile(join(group, isFirstVersion ? 'memory.limit_in_bytes' : 'memory.max'), String(bytes));
  } catch {
    await rmdir(group).catch(() => undefined);
    return undefined;
  }
  return {
    under: ['sh', '-c', `echo $$ > ${group}/cgroup.procs && exec "$0" "$@"`],
    async close() {
      // A process that has just ended is a member for a moment more.
      for (let attempt = 0; attempt < 50; attempt++) {
        const removed = await rmdir(group).then(
          () => true,
          () => false,
        );
        if (removed) return;
        await sleep(20);
      }
    },
  };
}
