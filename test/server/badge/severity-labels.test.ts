import { afterAll, beforeAll, expect, test } from 'vitest';
import { send } from '../../support/http-client.ts';
import { lasting, startTestServer, type TestServer } from '../../support/test-server.ts';

const languages = ['de', 'de-AT', 'zh', 'zh-Hant', 'zh-Hant-TW', 'sw'];
const translations = Object.fromEntries(languages.map((language) => [language, { message: language }]));
const announcements = [undefined, 'success', 'critical'].map((severity, at) => ({
  ...lasting,
  id: severity ?? 'info',
  published: `2026-01-0${at + 1}T00:00:00Z`,
  alongside: true,
  translations,
  ...(severity && { severity }),
}));

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ files: { 'history.json': { announcements } } });
});
afterAll(() => server.close());

interface Labelled {
  readonly id: string;
  readonly translations: Readonly<Record<string, { readonly severityLabel?: string }>>;
}

async function readActive(): Promise<Readonly<Record<string, Labelled>>> {
  const { body } = await send(server.port, { path: '/content/active.json' });
  const { announcements: active } = JSON.parse(String(body)) as { announcements: Labelled[] };
  return Object.fromEntries(active.map((announcement) => [announcement.id, announcement]));
}

const labelsOf = (announcement: Labelled | undefined) =>
  languages.map((language) => announcement?.translations[language]?.severityLabel);

test('each translation in a known language has its word for the severity, except for information', async () => {
  const { critical, success, info } = await readActive();
  expect(labelsOf(critical)).toEqual(['Kritisch', 'Kritisch', '严重', '嚴重', '嚴重', undefined]);
  expect(labelsOf(success)).toEqual([
    'Gute Nachricht',
    'Gute Nachricht',
    '好消息',
    '好消息',
    '好消息',
    undefined,
  ]);
  expect(labelsOf(info)).toEqual(languages.map(() => undefined));
});

test('the documented announcement stays as it is written', async () => {
  const { body } = await send(server.port, { path: '/content/announcement.json' });
  expect(JSON.parse(String(body))).toMatchObject({ id: 'critical', translations });
  expect(String(body)).not.toContain('severityLabel');
});
