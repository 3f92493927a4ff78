// Holds the lock of a folder until it is killed. Usage: lock-holder FOLDER
import { withFolderLock } from '../../../../src/kit/files/folder-lock.ts';

const [dir = ''] = process.argv.slice(2);
await withFolderLock(dir, async () => {
  process.stdout.write('held\n');
  await new Promise((resolve) => setTimeout(resolve, 600_000));
});
