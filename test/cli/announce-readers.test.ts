import { expect, test } from 'vitest';
import { fieldOptions } from '../../src/announcements/fields.ts';
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

test('each field has options to set it, to change it and to take it back, and each option does what it says', async () => {
  const publish = `publish "*Words*" --markdown --id full --alongside --at +1d --expires +3d ${everything}`;
  const change = 'edit full --at +2d --expires +5d --severity warning --link https://example.org/new';
  const back = `edit full --message Words --no-link --severity info --no-alongside --dismissible
    --no-link-label --no-translation --no-site --no-path`;
  const options = [...fieldOptions('publishOptions'), ...fieldOptions('editOptions')];
  const used = `${publish} ${change} ${back}`.match(/--[a-z-]+/g);
  expect(new Set(used)).toEqual(new Set(options.map(([flags]) => flags.split(' ')[0])));

  const day = 24 * 60 * 60 * 1000;
  const began = Date.now();
  const lasts = () =>
    storedAnnouncement().then(({ published, expires }) => [published, expires].map(Date.parse));
  await announce(publish);
  const [start = 0, end] = await lasts();
  expect(Math.abs(start - began - day)).toBeLessThan(60_000);
  expect(end).toBe(start + 3 * day);
  expect(await storedAnnouncement()).toMatchObject({
    ...{ id: 'full', message: 'Words', markdown: '*Words*', alongside: true, dismissible: false },
    translations: { de: { message: 'Die Doku ist gestört', markdown: 'Die Doku ist gestört' } },
  });
  await announce(change);
  const [later = 0, last] = await lasts();
  expect(Math.abs(later - began - 2 * day)).toBeLessThan(60_000);
  expect(last).toBe(later + 5 * day);
  const link = 'https://example.org/new';
  expect(await storedAnnouncement()).toMatchObject({ severity: 'warning', link, linkLabel: 'Status' });
  await announce(back);
  const [published, expires] = [later, last].map(
    (time = 0) => `${new Date(time).toISOString().slice(0, 19)}Z`,
  );
  expect(await storedAnnouncement()).toEqual({ id: 'full', message: 'Words', link: '', published, expires });
});
