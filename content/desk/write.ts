import type {
  AnnouncementList,
  ChangedAnnouncement,
  DeskAnnouncement,
} from '../../src/contract/desk-types.ts';
import { CallError, call } from './api.ts';
import { button, element, find } from './elements.ts';
import { clearNotices, complain, refresh, say, sayChanged } from './notices.ts';
import type { PreviewMessage } from './preview.ts';
import { instantOfField, localText, timeZone, utcText } from './times.ts';
import { flat, nothingTyped, type Parts, partsOf, patchOf, type Typed, typedOf } from './written.ts';

/** What is being written; kept in the tab, so that neither a reload nor a lost connection loses it. */
interface Draft {
  readonly typed: Typed;
  /** The announcement as the editor saw it; undefined: a new one. */
  readonly base: DeskAnnouncement | undefined;
  /** Of the announcements when the editor saw them. */
  readonly revision: string;
  /** Of the request that was sent last, and what it said: the same again is the same request. */
  readonly key?: string;
  readonly sent?: string;
}

type Field = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

const form = find('#write form', HTMLFormElement);
const title = find('#write h1', HTMLElement);
const frame = find('iframe', HTMLIFrameElement);
const conflict = find('#conflict', HTMLElement);
const more = find('details', HTMLDetailsElement);
const publish = find('#publish', HTMLButtonElement);
const rows = find('#translations', HTMLElement);
const language = find('#preview-language', HTMLSelectElement);
const dismissible = find('[name=dismissible]', HTMLInputElement);
const alongside = find('[name=alongside]', HTMLInputElement);
/** The fields with a text of the announcement itself. */
const texts = [...form.elements].filter(
  (field): field is Field =>
    'value' in field && (field as Field).name !== '' && (field as Field).type !== 'checkbox',
);

let draft: Draft;
let draftName = '';

/** Opens the form for an announcement, or for a new one without `id`. Rejects with a `CallError`. */
export async function openForm(id: string | undefined): Promise<void> {
  draftName = `typebadge-desk-draft ${id ?? ''}`;
  const kept = sessionStorage.getItem(draftName);
  draft = kept === null ? await newDraft(id) : JSON.parse(kept);
  fill();
}

async function newDraft(id: string | undefined): Promise<Draft> {
  const { base, revision } = await readEntry(id);
  if (id !== undefined && base === undefined)
    throw new CallError('refused', `There is no announcement ${id} any more: the log says who changed it.`);
  return { typed: base === undefined ? nothingTyped : typedOf(base), base, revision };
}

async function readEntry(id: string | undefined): Promise<Pick<Draft, 'base' | 'revision'>> {
  const query = id === undefined ? 'limit=1' : `id=${encodeURIComponent(id)}`;
  const { body, revision } = await call<AnnouncementList>({ method: 'GET', path: `announcements?${query}` });
  return { base: id === undefined ? undefined : body.announcements[0], revision };
}

function fill(): void {
  const { typed, base } = draft;
  title.textContent = base === undefined ? 'New announcement' : `Edit ${base.id}`;
  publish.textContent = base === undefined ? 'Publish' : 'Save';
  find('#own-id', HTMLElement).hidden = base !== undefined;
  for (const field of texts) field.value = typed.fields[field.name] ?? '';
  dismissible.checked = typed.dismissible;
  alongside.checked = typed.alongside;
  rows.replaceChildren();
  for (const words of typed.translations) addTranslation(words);
  const { at, expires } = form.elements as unknown as Record<'at' | 'expires', HTMLInputElement>;
  at.disabled = base !== undefined && base.state !== 'scheduled';
  at.required = expires.required = base !== undefined;
  find('#zone', HTMLElement).textContent = `Times are in your time zone, ${timeZone}.`;
  const { message: _, link: __, at: ___, expires: ____, ...extra } = partsOf(typed);
  more.open = flat(extra).size > 0;
  conflict.hidden = true;
  showProblems([]);
  showTyped();
}

function addTranslation(words: Readonly<Record<string, string>> = {}): HTMLElement {
  const copy = find('#translation', HTMLTemplateElement).content.cloneNode(true) as DocumentFragment;
  const row = copy.firstElementChild as HTMLElement;
  for (const field of fieldsOf(row)) field.value = words[field.name] ?? '';
  row.querySelector('button')?.addEventListener('click', () => {
    row.remove();
    find('#translate', HTMLElement).focus();
    keep();
  });
  rows.append(row);
  return row;
}

function fieldsOf(row: Element): Field[] {
  return [...row.querySelectorAll<Field>('input, textarea')];
}

function readTyped(): Typed {
  return {
    fields: Object.fromEntries(texts.map(({ name, value }) => [name, value])),
    dismissible: dismissible.checked,
    alongside: alongside.checked,
    translations: [...rows.children].map((row) =>
      Object.fromEntries(fieldsOf(row).map(({ name, value }) => [name, value])),
    ),
  };
}

function keep(): void {
  draft = { ...draft, typed: readTyped() };
  sessionStorage.setItem(draftName, JSON.stringify(draft));
  showTyped();
}

/** What follows from what is typed: hints, and the preview. */
function showTyped(): void {
  const { fields } = draft.typed;
  find('#length', HTMLElement).textContent = `${(fields.message ?? '').length} of 280`;
  find('#effect', HTMLElement).hidden = draft.base !== undefined || alongside.checked;
  const hints = [
    ['at', draft.base === undefined ? 'Empty: at once.' : ''],
    ['expires', draft.base === undefined ? 'Empty: 30 days after its start.' : ''],
  ] as const;
  for (const [name, empty] of hints) {
    const instant = instantOfField(fields[name] ?? '');
    find(`#${name}-hint`, HTMLElement).textContent = instant === undefined ? empty : `= ${utcText(instant)}`;
  }
  const languages = ['', ...Object.keys((partsOf(draft.typed).translations ?? {}) as Parts).filter(Boolean)];
  const chosen = languages.includes(language.value) ? language.value : '';
  language.hidden = languages.length === 1;
  language.replaceChildren(
    ...languages.map((tag) => element('option', { value: tag }, tag || 'Without translation')),
  );
  language.value = chosen;
  showPreview();
}

function showPreview(): void {
  const { audience: _, at, expires, id: __, ...shown } = partsOf(draft.typed);
  const isShown = shown.message !== undefined && shown.message !== '';
  const times = { published: at ?? new Date().toISOString(), expires: expires ?? '2999-01-01T00:00:00Z' };
  const translations = language.value === '' ? undefined : shown.translations;
  const announcement = {
    ...times,
    link: '',
    ...shown,
    translations,
    id: 'preview',
    published: '2020-01-01T00:00:00Z',
  };
  const message: PreviewMessage = {
    announcement: isShown ? { ...announcement, expires: '2999-01-01T00:00:00Z' } : undefined,
    lang: language.value || 'und',
  };
  frame.contentWindow?.postMessage(message, '*'); // to a document without an origin; it holds nothing secret
}

async function submit(revision = draft.revision): Promise<void> {
  keep();
  clearNotices();
  showProblems([]);
  const { base } = draft;
  const body = patchOf(base === undefined ? {} : partsOf(typedOf(base)), partsOf(draft.typed));
  if (base !== undefined && Object.keys(body).length === 0) return leave('Nothing was changed.');
  const sent = JSON.stringify(body);
  const wasSent = draft.sent === sent;
  draft = { ...draft, sent, key: (wasSent && draft.key) || crypto.randomUUID() };
  sessionStorage.setItem(draftName, JSON.stringify(draft));
  publish.disabled = true;
  try {
    const answer = await call<ChangedAnnouncement>({
      method: base === undefined ? 'POST' : 'PATCH',
      path: base === undefined ? 'announcements' : `announcements/${encodeURIComponent(base.id)}`,
      ...{ body, revision, key: draft.key },
    });
    const { id, state, published, expires } = answer.body;
    const when =
      state === 'scheduled' ? `starts ${localText(published)}` : `is ${state} until ${localText(expires)}`;
    leave('');
    sayChanged(`${base === undefined ? 'Published' : 'Saved'} ${id}: it ${when}.`, answer.body);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    if (error.kind === 'changed meanwhile') await showConflict(error, wasSent);
    else complain(error);
    showProblems(error.problems);
  } finally {
    publish.disabled = false;
  }
}

function leave(text: string): void {
  sessionStorage.removeItem(draftName);
  refresh('#list');
  if (text !== '') say(text);
}

/** Lets the editor look at what somebody else changed before it is overwritten. */
async function showConflict(error: CallError, wasSent: boolean): Promise<void> {
  try {
    const { base: current, revision } = await readEntry(draft.base?.id);
    const seen = draft.base === undefined ? {} : partsOf(typedOf(draft.base));
    const theirs = current === undefined ? {} : partsOf(typedOf(current));
    // An answer was lost, but the change was made.
    if (wasSent && current !== undefined && Object.keys(patchOf(theirs, partsOf(draft.typed))).length === 0)
      return leave('Saved.');
    const [before, now, mine] = [flat(seen), flat(theirs), flat(partsOf(draft.typed))];
    const places = [...new Set([...before.keys(), ...now.keys()])].filter(
      (place) => before.get(place) !== now.get(place),
    );
    const anyway = button(draft.base === undefined ? 'Publish anyway' : 'Save mine anyway', '', () =>
      submit(revision),
    );
    const theirsButton = button('Discard mine', '', discard);
    conflict.replaceChildren(
      element('p', {}, error.message),
      draft.base !== undefined && places.length === 0
        ? element('p', {}, 'This announcement is still as you saw it.')
        : element(
            'dl',
            {},
            ...places.flatMap((place) => [
              element('dt', {}, place),
              element('dd', {}, `Now: ${now.get(place) ?? 'empty'}`),
              element('dd', {}, `Yours: ${mine.get(place) ?? 'empty'}`),
            ]),
          ),
      element('p', { class: 'actions' }, anyway, theirsButton),
    );
    conflict.hidden = false;
    conflict.tabIndex = -1;
    conflict.focus();
  } catch (second) {
    complain(second);
  }
}

async function discard(): Promise<void> {
  sessionStorage.removeItem(draftName);
  if (draft.base === undefined) return refresh('#list');
  refresh();
}

/** Puts each problem beside its field and moves to the first. */
function showProblems(found: CallError['problems']): void {
  for (const note of form.querySelectorAll('.problem')) note.remove();
  for (const field of form.querySelectorAll('[aria-invalid]')) {
    field.removeAttribute('aria-invalid');
    describe(field, '');
  }
  for (const [index, { field: place, problem, fix }] of found.entries()) {
    const field = fieldAt(place);
    if (field === undefined) continue;
    const id = `problem-${index}`;
    const text = fix === undefined ? problem : `${problem}: ${fix}`;
    field.after(element('p', { class: 'problem', id }, text.charAt(0).toUpperCase() + text.slice(1)));
    field.setAttribute('aria-invalid', 'true');
    describe(field, id);
  }
  const first = form.querySelector<HTMLElement>('[aria-invalid]');
  if (first?.closest('details')) more.open = true;
  first?.focus();
}

/** Names the problem of a field to screen readers, beside its hint. */
function describe(field: Element, problem: string): void {
  const hints = (field.getAttribute('aria-describedby') ?? '').split(' ').filter((id) => /-hint$/.test(id));
  field.setAttribute('aria-describedby', [...hints, problem].join(' ').trim());
}

/** The field of a problem such as `message`, `translations.de.link` or `audience.sites`. */
function fieldAt(place: string): Field | undefined {
  const [name = '', part = '', inner = 'lang'] = place.split('.');
  if (name === 'audience') return texts.find((field) => field.name === (part || 'sites'));
  if (name !== 'translations') return texts.find((field) => field.name === name);
  const row =
    [...rows.children].find((each) => fieldsOf(each)[0]?.value.trim() === part) ?? rows.firstElementChild;
  return row === null ? undefined : fieldsOf(row).find((field) => field.name === inner);
}

form.addEventListener('input', keep);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  submit().catch(complain);
});
// A field that is missing in the closed part could not be shown otherwise.
form.addEventListener(
  'invalid',
  ({ target }) => {
    if ((target as Element).closest('details')) more.open = true;
  },
  true,
);
find('#discard', HTMLButtonElement).addEventListener('click', () => {
  discard();
  clearNotices();
});
find('#translate', HTMLButtonElement).addEventListener('click', () => {
  fieldsOf(addTranslation())[0]?.focus();
  keep();
});
language.addEventListener('change', showPreview);
addEventListener('message', ({ source }) => {
  if (source === frame.contentWindow && draft !== undefined) showPreview();
});
