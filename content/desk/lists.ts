import { textOf } from '../../src/announcements/values/markdown.ts';
import type { AnnouncementList, ChangeLog, DeskAnnouncement } from '../../src/contract/desk-types.ts';
import { type Answer, call } from './api.ts';
import { button, element, find, table } from './elements.ts';
import { change, complain, undoChange } from './notices.ts';
import { localText, timeZone, utcText } from './times.ts';
import { nameOf } from './written.ts';

interface Tally {
  readonly impressions: number;
  readonly clicks: number;
  readonly dismissals: number;
  readonly clickThrough: number | null;
}

interface Statistics {
  readonly total: Tally;
  readonly announcements: readonly (Tally & { readonly id: string; readonly message: string | null })[];
}

const groups = [
  ['active', 'Active', 'Nothing is active: readers see nothing.'],
  ['scheduled', 'Scheduled', 'Nothing is scheduled.'],
  ['past', 'Past', 'Nothing yet.'],
] as const;

/** The rows of a view. */
export type Rows = readonly Node[];

/** Announcements by state; passes the name of the editor to `onEditor`. */
export async function announcementRows(onEditor: (name: string) => void): Promise<Rows> {
  const answers = await Promise.all(groups.map(([state]) => readList(state)));
  onEditor(answers[0]?.body.editor ?? '');
  const lists = groups.map(([state, title, nothing], index) => {
    const { body, revision } = answers[index] as Answer<AnnouncementList>;
    const list = element('ul', {});
    appendPage(list, body, revision, (after) => readList(state, after));
    const none = body.total === 0 && element('p', { class: 'hint' }, nothing);
    return element(
      'section',
      { 'aria-label': title },
      element('h2', {}, `${title} (${body.total})`),
      none || list,
    );
  });
  return [...lists, zoneHint()];
}

function readList(state: string, after?: string): Promise<Answer<AnnouncementList>> {
  const more = after === undefined ? '' : `&after=${encodeURIComponent(after)}`;
  return call({ method: 'GET', path: `announcements?state=${state}&order=reading&limit=20${more}` });
}

function appendPage(
  list: HTMLElement,
  { announcements, current, next }: AnnouncementList,
  revision: string,
  readMore: (after: string) => Promise<Answer<AnnouncementList>>,
): void {
  list.append(...announcements.map((entry) => row(entry, entry.id === current, revision)));
  if (next === undefined) return;
  const more = button('Show more', '', async () => {
    try {
      const { body } = await readMore(next);
      more.parentElement?.remove();
      appendPage(list, body, revision, readMore);
    } catch (error) {
      complain(error);
    }
  });
  list.append(element('li', { class: 'more' }, more));
}

function row(entry: DeskAnnouncement, isCurrent: boolean, revision: string): HTMLElement {
  const { id, state, link, severity, published, expires, translations, audience } = entry;
  const message = textOf(entry);
  const quoted = message.replace(/\.$/, '');
  const languages = Object.keys(translations ?? {});
  const places = [...(audience?.sites ?? []), ...(audience?.paths ?? [])];
  const ended = entry.withdrawn ?? entry.expired ?? expires;
  const path = `announcements/${encodeURIComponent(id)}`;
  const post = (verb: string, done: string) => () =>
    change({ method: 'POST', path: `${path}/${verb}`, body: {}, revision }, `${done} “${quoted}”.`);
  return element(
    'li',
    {},
    element('p', { class: 'said' }, message),
    element(
      'p',
      { class: 'facts' },
      element('span', { class: `state ${state}` }, isCurrent ? 'shown to everyone' : nameOf(state)),
      severity !== undefined && element('span', { class: `state ${severity}` }, nameOf(severity)),
      ended < published
        ? element('span', {}, 'withdrawn ', time(ended), ', before its start')
        : element('span', {}, time(published), ...(state === 'superseded' ? [] : [' – ', time(ended)])),
      link !== '' && element('span', { class: 'link' }, link),
      languages.length > 0 && element('span', {}, `also ${languages.join(', ')}`),
      places.length > 0 && element('span', { class: 'link' }, `only ${places.join(', ')}`),
      element('span', { class: 'id' }, `id ${id}`),
    ),
    state !== 'withdrawn' &&
      element(
        'p',
        { class: 'actions' },
        element('a', { href: `#edit=${encodeURIComponent(id)}`, 'aria-label': `Edit: ${message}` }, 'Edit'),
        state === 'active' && button('End now', message, post('expire', 'Ended')),
        button('Withdraw', message, post('withdraw', 'Withdrew')),
      ),
  );
}

function time(instant: string): HTMLElement {
  return element('time', { datetime: instant, title: utcText(instant) }, localText(instant));
}

function zoneHint(): HTMLElement {
  return element('p', { class: 'hint' }, `Times are in your time zone, ${timeZone}.`);
}

/** Every change, the latest first. */
export async function logRows(): Promise<Rows> {
  const { body, revision } = await call<ChangeLog>({
    method: 'GET',
    path: 'announcements/changes?limit=100',
  });
  if (body.total === 0) return [element('p', { class: 'hint' }, 'Nothing was changed yet.')];
  const rest = body.total - body.changes.length;
  return [
    table(
      'Changes',
      ['Change', 'When', 'Who', 'What', 'Announcement', ''],
      body.changes.map((logged) => logRow(logged, revision)),
    ),
    element('p', { class: 'hint' }, rest > 0 && `${rest} earlier ones: typebadge announce log. `),
    zoneHint(),
  ];
}

function logRow(
  { number, at, by, action, id, before, after, undoes, undoneBy }: ChangeLog['changes'][number],
  revision: string,
) {
  const message = (after ?? before)?.message ?? '';
  const edited = action === 'edit' ? `: ${changedNames(before ?? {}, after ?? {}).join(', ')}` : '';
  const what = undoes === null ? `${nameOf(action)}${edited}` : `undo of ${undoes}`;
  const undo = () => undoChange(number, id, revision);
  const last = undoneBy === null ? button('Undo', `change ${number}`, undo) : `undone by ${undoneBy}`;
  return [String(number), time(at), by, what, `${id}: ${message}`, last];
}

function changedNames(before: object, after: object): string[] {
  const [old, now] = [new Map(Object.entries(before)), new Map(Object.entries(after))];
  const names = [...old.keys(), ...now.keys()];
  const changed = names.filter((name) => JSON.stringify(old.get(name)) !== JSON.stringify(now.get(name)));
  return [...new Set(changed.map(nameOf))];
}

/** What readers did in the last thirty days. */
export async function numberRows(): Promise<Rows> {
  const { body } = await call<Statistics>({ method: 'GET', path: 'announcements/stats?days=30' });
  const cells = ({ impressions, clicks, dismissals, clickThrough }: Tally) => [
    ...[impressions, clicks, dismissals].map((count) => count.toLocaleString('en')),
    clickThrough === null ? '–' : `${(clickThrough * 100).toFixed(1)} %`,
  ];
  const rows = body.announcements.map(({ id, message, ...tally }) => [
    message ?? `${id}, no longer in the history`,
    ...cells(tally),
  ]);
  const head = ['Announcement', 'Views', 'Clicks', 'Dismissals', 'Clicks per view'];
  return [table('Numbers', head, [...rows, ['All', ...cells(body.total)]])];
}

interface OriginList {
  readonly origins: readonly string[];
}

/** The allow-list, with its form. A change concerns one site, so it is right whatever others changed. */
export async function siteRows(): Promise<Rows> {
  const { body } = await call<OriginList>({ method: 'GET', path: 'origins' });
  const origin = find('#origin', HTMLInputElement);
  find('#sites form', HTMLFormElement).onsubmit = async (event) => {
    event.preventDefault();
    const body = { origin: origin.value.trim() };
    if (await change({ method: 'POST', path: 'origins', body }, `Added ${body.origin}.`)) origin.value = '';
  };
  if (body.origins.length === 0) return [element('p', { class: 'hint' }, 'No site is listed yet.')];
  const rows = body.origins.map((entry) =>
    element(
      'li',
      { class: 'site' },
      element('span', {}, entry),
      button('Remove', entry, () => removeSite(entry)),
    ),
  );
  return [element('ul', {}, ...rows)];
}

/** Undo adds it again: the log has announcements only. */
function removeSite(origin: string): Promise<boolean> {
  const site = { path: 'origins', body: { origin } };
  const addAgain = () => change({ method: 'POST', ...site }, `Added ${origin} again.`);
  return change({ method: 'DELETE', ...site }, `Removed ${origin}.`, button('Undo', '', addAgain));
}
