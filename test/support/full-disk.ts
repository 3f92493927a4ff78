import { execFile } from 'node:child_process';
import { mkdir, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A way to let a running server find no room, and room again. */
export interface FullDisk {
  readonly name: string;
  /** Makes the folder below `dir` that the server gets, with room in it. */
  open(dir: string): Promise<string>;
  /** From now on the process can write next to nothing there. */
  fill(folder: string, pid: number): Promise<void>;
  makeRoom(folder: string, pid: number): Promise<void>;
  close(folder: string): Promise<void>;
}

/** The real thing: a small file system in memory that runs full. Mounting it needs the right to. */
const smallFileSystem: FullDisk = {
  name: 'a file system that is full',
  async open(dir) {
    const folder = join(dir, 'small');
    await mkdir(folder, { recursive: true });
    await run('mount', ['-t', 'tmpfs', '-o', 'size=512k', 'tmpfs', folder]);
    return folder;
  },
  async fill(folder) {
    // Whole pages, so that a last write of the server is cut short in the middle.
    const page = Buffer.alloc(4096);
    for (let number = 0; ; number++) {
      try {
        await writeFile(join(folder, `filler-${number}`), page);
      } catch {
        await rm(join(folder, 'filler-0'));
        return;
      }
    }
  },
  async makeRoom(folder) {
    for (let number = 0; number < 200; number++) await rm(join(folder, `filler-${number}`), { force: true });
  },
  close: async (folder) => void (await run('umount', ['-l', folder])),
};

/** A quota: the system lets this process write no file beyond a size, and cuts the write that would. */
const fileSizeLimit: FullDisk = {
  name: 'a limit on the size of files',
  async open(dir) {
    const folder = join(dir, 'limited');
    await mkdir(folder, { recursive: true });
    return folder;
  },
  async fill(folder, pid) {
    const files = await readdir(join(folder, 'data'), { withFileTypes: true, recursive: true });
    const sizes = files
      .filter((file) => file.isFile())
      .map(async ({ parentPath, name }) => (await stat(join(parentPath, name))).size);
    const largest = Math.max(...(await Promise.all(sizes)));
    await run('prlimit', ['--pid', String(pid), `--fsize=${largest + 500}:unlimited`]);
  },
  makeRoom: async (_, pid) =>
    void (await run('prlimit', ['--pid', String(pid), '--fsize=unlimited:unlimited'])),
  close: async () => undefined,
};

/** The ways that this machine permits. */
export async function findFullDisks(dir: string): Promise<FullDisk[]> {
  const mounted = await smallFileSystem
    .open(dir)
    .then(smallFileSystem.close)
    .then(
      () => [smallFileSystem],
      () => [],
    );
  const limited = await run('prlimit', ['--version']).then(
    () => [fileSizeLimit],
    () => [],
  );
  return [...mounted, ...limited];
}
