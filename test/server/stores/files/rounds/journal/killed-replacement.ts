// A server that is killed just after it has put another file in the place of a journal. Argument: the path. Says `copied`, and goes on after a line.
import { copyFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { withFolderLock } from '../../../../../../src/kit/files/folder-lock.ts';

const [, , path = ''] = process.argv;
await withFolderLock(dirname(path), async () => {
  await copyFile(path, `${path}.copy`);
  console.log('copied');
  await new Promise((resolve) => process.stdin.once('data', resolve));
  await rename(`${path}.copy`, path);
  process.kill(process.pid, 'SIGKILL');
});
