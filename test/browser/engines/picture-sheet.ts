// Draws badges of every kind in each engine, light and dark, for somebody to look at:
// npx tsx test/browser/engines/picture-sheet.ts DIR
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lasting } from '../../support/test-server.ts';
import { until } from '../../support/until.ts';
import { type Embedding, type HostPage, longest, startEmbedding, themes } from '../embedding.ts';
import { chromiumEngine } from './chromium-engine.ts';
import type { Engine, EngineKind } from './engine.ts';
import { firefoxEngine } from './firefox-engine.ts';
import { webkitEngine } from './webkit-engine.ts';

interface Sample {
  readonly announcement: object;
  readonly page?: HostPage;
}

const german =
  'Wegen Wartung der Donaudampfschifffahrtselektrizitätenhauptbetriebswerke ist der Dienst am Freitag von 18 bis 22 Uhr nicht erreichbar. Bitte speichern Sie Ihre Arbeit.';
const arabic = 'سيتم إيقاف الخدمة مؤقتًا للصيانة مساء يوم الجمعة من الساعة 18 إلى 22. يرجى حفظ عملك قبل ذلك.';

const samples: readonly Sample[] = [
  { announcement: {} },
  {
    announcement: { severity: 'success', message: 'Version 2.4 is out, with dark charts and faster search' },
  },
  { announcement: { severity: 'warning', message: 'Uploads are slow this morning', linkLabel: 'Status' } },
  { announcement: { severity: 'critical', message: 'Payments fail. Please do not pay twice.' } },
  { announcement: { severity: 'critical', message: longest } },
  { announcement: { message: longest, link: '' } },
  {
    announcement: { severity: 'warning', message: german, linkLabel: 'Zuständigkeitsübertragungsverordnung' },
    page: { html: 'lang="de"', attributes: 'data-label-more="Weiterlesen" data-warning="Warnung"' },
  },
  {
    announcement: { severity: 'critical', message: arabic, linkLabel: 'اقرأ المزيد' },
    page: { html: 'lang="ar" dir="rtl"', attributes: 'data-position="bottom-left" data-critical="عاجل"' },
  },
  { announcement: {}, page: { attributes: 'data-collapsed' } },
];

/** Each sample in a frame of its own: three columns that fit the smallest window, which is WebKitGTK's. */
async function draw(engine: Engine, theme: string): Promise<Buffer> {
  const announcements = samples.map(({ announcement }, at) => ({
    ...lasting,
    id: `sample-${at + 1}`,
    alongside: true,
    audience: { paths: [`/page-${at + 2}`] }, // the site's own favicon comes before its first page
    ...announcement,
  }));
  const embedding = await startEmbedding({ files: { 'history.json': { announcements } } });
  await engine.tab.go(putSheet(embedding, theme));
  await until(() => engine.tab.run(countSettled).then((count) => count === samples.length));
  const picture = await engine.tab.takePicture();
  await embedding.close();
  return picture;
}

function putSheet(embedding: Embedding, theme: string): string {
  const colors = theme === 'dark' ? '#111; color: #999' : '#fafafa; color: #444';
  const head = `<style>body { font-family: system-ui; background: ${colors} }</style>`;
  const body = '<p>Clouds that tower before noon bring rain before night.</p>'.repeat(4);
  const frames = samples.map(({ page = {} }) => {
    const attributes = `${page.attributes ?? ''} data-theme="${theme}"`;
    const url = embedding.put({ html: 'lang="en"', ...page, attributes, head, body });
    return `<iframe src="${url}" width="330" height="210" style="border: 0"></iframe>`;
  });
  const grid = 'display: grid; grid-template-columns: repeat(3, 330px); gap: 4px';
  return embedding.put({ tag: '', body: `<div style="${grid}">${frames.join('')}</div>` });
}

function countSettled(): number {
  return [...document.querySelectorAll('iframe')].filter(({ contentDocument }) => {
    const badge = contentDocument?.querySelector('type-badge');
    return badge?.shadowRoot?.querySelector('aside') !== null;
  }).length;
}

async function drawSheets(kind: EngineKind, dir: string): Promise<void> {
  if (kind.missing.length > 0) {
    console.warn(`left out, needs ${kind.missing.join(' and ')}: ${kind.name}`);
    return;
  }
  const engine = await kind.start();
  for (const theme of themes) {
    const file = join(dir, `${kind.name}-${theme}.png`);
    await writeFile(file, await draw(engine, theme));
    console.log(file);
  }
  await engine.close();
}

const [dir = '.'] = process.argv.slice(2);
await mkdir(dir, { recursive: true });
for (const kind of [chromiumEngine, firefoxEngine, webkitEngine]) await drawSheets(kind, dir);
