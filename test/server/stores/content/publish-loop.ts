// Publishes for as long as it lives, or as often as it is told, and says each id only once the publishing is reported as done.
// Usage: publish-loop FOLDER NAME [COUNT]
import { writeSync } from 'node:fs';
import { publish } from '../../../../src/announcements/changes/history-edit.ts';
import { createContentStore } from '../../../../src/server/stores/content/content-store.ts';
import { createFolderContent } from '../../../../src/server/stores/content/folder-content.ts';

process.on('SIGXFSZ', () => {}); // a limit on the size of files then fails the write instead of killing the process

const [dir = '', by = '', count = 'Infinity'] = process.argv.slice(2);
const store = createContentStore(createFolderContent(dir, { wait: 60_000 }));
for (let done = 0; done < Number(count); done += 1) {
  const now = Date.now();
  const draft = { message: `${by} says ${done}`, link: '', published: now, expires: now + 86_400_000 };
  const outcome = await store.updateHistory((history) => publish(history, draft, { by, at: now }));
  writeSync(1, 'entry' in outcome ? `${outcome.entry.id}\n` : `refused: ${outcome.problem}\n`);
}
