import { expect, test } from 'vitest';
import { newCommandLine } from './command-line.ts';

const line = newCommandLine();
const announce = (args: string) => line.run(`announce ${args}`);
const announceJson = async (args: string) => (await line.json(`announce ${args}`)).value;

const storedAnnouncement = async () => (await line.read('history.json')).announcements[0];

const everything = `--severity critical --not-dismissible --link https://example.org/status --link-label Status
  --translation "de=Die Doku ist gestört" --translation "pt-br=Fora do ar"
  --translated-link de=https://example.org/de/status --translated-link-label "de=Zum Stand"
  --site https://Example.org --site https://*.example.org --path /docs/*`;

test('an announcement for some readers only is stored, shown, logged, changed part by part, and undone', async () => {
  expect(await announce(`publish "The docs are down" ${everything}`)).toMatchObject({ code: 0 });
  const stored = await storedAnnouncement();
  const fields = {
    severity: 'critical',
    dismissible: false,
    linkLabel: 'Status',
    translations: {
      de: { message: 'Die Doku ist gestört', link: 'https://example.org/de/status', linkLabel: 'Zum Stand' },
      'pt-BR': { message: 'Fora do ar' },
    },
    audience: { sites: ['https://example.org', 'https://*.example.org'], paths: ['/docs/*'] },
  };
  expect(stored).toMatchObject(fields);
  expect((await announceJson(`show ${stored.id}`)).announcement).toMatchObject(fields);
  expect((await announceJson('list')).announcements).toMatchObject([fields]);
  const { stdout } = await announce(`show ${stored.id}`);
  for (const text of [
    'critical',
    'no: readers cannot dismiss it',
    'Languages    de: “Die Doku',
    '/docs/* on https://example.org',
  ])
    expect(stdout).toContain(text);

  const undoing = '--severity info --dismissible --no-link-label --no-translation --no-site --no-path';
  expect(await announce(`edit ${stored.id} ${undoing}`)).toMatchObject({ code: 0 });
  const { id, message, link, published, expires } = stored;
  expect(await storedAnnouncement()).toEqual({ id, message, link, published, expires });
  const log = (await announce('log')).stdout;
  for (const text of ['severity: critical → info', 'dismissible: no → yes', 'audience: /docs/* on'])
    expect(log).toContain(text);

  expect(await announce('undo')).toMatchObject({ code: 0 });
  expect(await storedAnnouncement()).toEqual(stored);
  await announce(`edit ${id} --translation de= --path /a --path /b`);
  expect(await storedAnnouncement()).toMatchObject({
    translations: { 'pt-BR': { message: 'Fora do ar' } },
    audience: { sites: ['https://example.org', 'https://*.example.org'], paths: ['/a', '/b'] },
  });
  expect((await storedAnnouncement()).translations).not.toHaveProperty('de');
});
