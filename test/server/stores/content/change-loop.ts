// Publishes, edits and undoes for as long as it lives, and says the number of each change only once it is reported as done.
// Usage: change-loop FOLDER NAME
import { writeSync } from 'node:fs';
import type { HistoryFile } from '../../../../src/announcements/announcement.ts';
import { edit, publish } from '../../../../src/announcements/changes/history-edit.ts';
import { undo } from '../../../../src/announcements/changes/history-undo.ts';
import { createContentStore } from '../../../../src/server/stores/content/content-store.ts';
import { createFolderContent } from '../../../../src/server/stores/content/folder-content.ts';

const [dir = '', by = ''] = process.argv.slice(2);
const store = createContentStore(createFolderContent(dir, { wait: 60_000 }));
for (let done = 0; ; done += 1) {
  const at = Date.now();
  const message = `${by} says ${done}`;
  const change = (history: HistoryFile) => {
    const last = history.announcements.at(-1);
    if (done % 3 === 2) return undo(history, undefined, { by, at });
    if (done % 3 === 1 && last !== undefined) return edit(history, last.id, { message }, { by, at });
    return publish(history, { message, link: '', published: at, expires: at + 86_400_000 }, { by, at });
  };
  const outcome = await store.updateHistory(change);
  if ('history' in outcome) writeSync(1, `${outcome.history.changes.length}\n`);
}
