import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Where Linux distributions put the library that tells a process another date. */
const library = (() => {
  const roots = ['/usr/lib', '/usr/local/lib', '/usr/lib64'].filter((root) => existsSync(root));
  const folders = roots.flatMap((root) => [root, ...readdirSync(root).map((name) => join(root, name))]);
  return folders.map((dir) => join(dir, 'faketime', 'libfaketimeMT.so.1')).find((path) => existsSync(path));
})();

const isRequired = process.env.TYPEBADGE_REQUIRE_FAKETIME === '1';

/** Whether the date of a running process can be set here. Such tests are left out loudly, or fail where they are required. */
export const canSetClock = library !== undefined;
if (!canSetClock) {
  const reason = 'libfaketime is not installed: the tests that set the clock';
  if (isRequired) throw new Error(`${reason} are required by TYPEBADGE_REQUIRE_FAKETIME=1.`);
  console.warn(`${reason} are left out.`);
}

export interface FalseClock {
  /** What a process must be started with. */
  readonly env: Readonly<Record<string, string>>;
  /** Sets the date of the process to so many seconds from the true one, while it runs. */
  jumpTo(secondsFromNow: number): void;
}

/** The date alone jumps, as when somebody sets it: the monotonic clock goes on, and the file system keeps true time. */
export function createFalseClock(dir: string): FalseClock {
  const file = join(dir, 'clock');
  const jumpTo = (seconds: number) => writeFileSync(file, `${seconds < 0 ? '' : '+'}${seconds}\n`);
  jumpTo(0);
  return {
    env: {
      LD_PRELOAD: library ?? '',
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
      NO_FAKE_STAT: '1',
    },
    jumpTo,
  };
}
