import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  emptyHistory,
  type HistoryFile,
  type PublicHistory,
} from '../../../src/announcements/announcement.ts';
import { publish } from '../../../src/announcements/changes/history-edit.ts';
import { parseMessage } from '../../../src/announcements/values/message.ts';
import { createContentStore } from '../../../src/server/stores/content/content-store.ts';
import { createFolderContent } from '../../../src/server/stores/content/folder-content.ts';
import { send } from '../../support/http-client.ts';
import { startTestServer } from '../../support/test-server.ts';

const unlimited = { rate: 1e6, burst: 1e6 };
const badgeLimits = { assets: unlimited, content: unlimited, analytics: unlimited, pages: unlimited };

const awkward = fc.constantFrom(
  '"',
  "'",
  '\\',
  '\\u0041',
  '</script>',
  '<!--',
  '&amp;',
  '$\u007bx}',
  '`',
  '{"a":1}',
  'שלום',
  'مرحبا',
  '\u200F',
  '\u202E',
  '👨‍👩‍👧‍👦',
  '🇩🇪',
  '❤️',
  '\uFEFF',
  '\u{10FFFF}',
  'e\u0301',
  '%00',
  '\\n',
);
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 280 }),
  fc.string({ unit: 'grapheme', maxLength: 90 }),
  fc
    .array(fc.oneof(awkward, fc.string({ unit: 'grapheme', maxLength: 6 })), { maxLength: 20 })
    .map((parts) => parts.join('')),
);
const anyMessage = anyText.map((text) => text.trim()).filter((text) => !('problem' in parseMessage(text)));

function publishAll(messages: readonly string[], now: number): HistoryFile {
  return messages.reduce<HistoryFile>((history, message) => {
    const draft = { message, link: '', published: now, expires: now + 86_400_000, alongside: true };
    const outcome = publish(history, draft, { by: 'editor', at: now });
    if ('problem' in outcome) throw new Error(`${outcome.problem}: ${JSON.stringify(message)}`);
    return outcome.history;
  }, emptyHistory);
}

test('a running server serves 4,000 random messages unchanged', async () => {
  const messages = fc.sample(anyMessage, 4_000);
  const server = await startTestServer({ badgeLimits });
  const get = async <T>(path: string) => JSON.parse((await send(server.port, { path })).body.toString()) as T;
  try {
    const store = createContentStore(createFolderContent(server.contentDir));
    for (let from = 0; from < messages.length; from += 500) {
      const batch = messages.slice(from, from + 500);
      const last = batch.at(-1) as string;
      // An id that tells this batch from the one before.
      const history = publishAll(batch, Date.now());
      const marked = history.announcements.map((entry) => ({ ...entry, id: `batch-${from}-${entry.id}` }));
      await store.updateHistory(() => ({ history: { ...history, announcements: marked } }));
      let shown: PublicHistory;
      do {
        await sleep(20);
        shown = await get<PublicHistory>('/content/history.json');
      } while (!shown.announcements[0]?.id.startsWith(`batch-${from}-`));
      expect(shown.announcements.map(({ message }) => message).reverse()).toEqual(batch);
      expect(await get('/content/announcement.json')).toMatchObject({ message: last });
    }
  } finally {
    await server.close();
  }
});
