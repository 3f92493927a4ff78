// Changes announcements for as long as it lives, or as often as it is told, and says what it has done only once that is reported
// as done: the id of what it published, or the number of the change. Usage: change-loop FOLDER NAME publish|all [COUNT]
import { writeSync } from 'node:fs';
import type { HistoryFile } from '../../../../src/announcements/announcement.ts';
import { edit, publish } from '../../../../src/announcements/changes/history-edit.ts';
import { undo } from '../../../../src/announcements/changes/history-undo.ts';
import { createContentStore } from '../../../../src/server/stores/content/content-store.ts';
import { createFolderContent } from '../../../../src/server/stores/content/folder-content.ts';

process.on('SIGXFSZ', () => {}); // a limit on the size of files then fails the write instead of killing the process

const [dir = '', by = '', kind = '', count = 'Infinity'] = process.argv.slice(2);
const store = createContentStore(createFolderContent(dir, { wait: 60_000 }));
for (let done = 0; done < Number(count); done += 1) {
  const at = Date.now();
  const message = `${by} says ${done}`;
  const turn = kind === 'publish' ? 0 : done % 3;
  const change = (history: HistoryFile) => {
    const last = history.announcements.at(-1);
    if (turn === 2) return undo(history, undefined, { by, at });
    if (turn === 1 && last !== undefined) return edit(history, last.id, { message }, { by, at });
    return publish(history, { message, link: '', published: at, expires: at + 86_400_000 }, { by, at });
  };
  const outcome = await store.updateHistory(change);
  if (kind === 'publish')
    writeSync(1, 'entry' in outcome ? `${outcome.entry?.id}\n` : `refused: ${JSON.stringify(outcome)}\n`);
  else if ('history' in outcome) writeSync(1, `${outcome.history.changes.length}\n`);
}
