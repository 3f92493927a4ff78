import { plainText } from '../../src/announcements/values/markdown.ts';
import { maxMessage, messageLength } from '../../src/announcements/values/message.ts';
import type {
  AnnouncementList,
  ChangedAnnouncement,
  DeskAnnouncement,
} from '../../src/contract/desk-types.ts';
import { CallError, call, type FieldProblem, summaryOf } from './api.ts';
import { button, element, find } from './elements.ts';
import { fieldsOf, showProblems, textFields, translationRows } from './form-fields.ts';
import { showPreview } from './live-preview.ts';
import { clearNotices, complain, refresh, say, sayChanged } from './notices.ts';
import { instantOfField, localText, timeZone, utcText } from './times.ts';
import { flat, nameOf, nothingTyped, patchOf, requestOf, type Typed, typedOf } from './written.ts';

/** What is being written; kept in the tab, so that neither a reload nor a lost connection loses it. */
interface Draft {
  /** Of the editor and the announcement: the key under which it is kept. */
  readonly name: string;
  /** The hash of its view. */
  readonly view: string;
  readonly typed: Typed;
  /** The announcement as the editor saw it; undefined: a new one. */
  readonly base: DeskAnnouncement | undefined;
  /** Of the announcements when the editor saw them. */
  readonly revision: string;
  /** Key and body of the last request: sent again unchanged, it has the same key. */
  readonly key?: string;
  readonly sent?: string;
}

const form = find('#write form', HTMLFormElement);
const title = find('#write h1', HTMLElement);
const conflict = find('#conflict', HTMLElement);
const more = find('details', HTMLDetailsElement);
const publish = find('#publish', HTMLButtonElement);
const markdown = find('[name=markdown]', HTMLInputElement);
const dismissible = find('[name=dismissible]', HTMLInputElement);
const alongside = find('[name=alongside]', HTMLInputElement);

/** What is in the form. */
let draft: Draft;
/** Names of the drafts whose requests have no answer yet: what was typed meanwhile would not be sent. */
const sending = new Set<string>();

/** What an editor has begun to write about an announcement, or a new one without `id`. Rejects with a `CallError`. */
export async function readDraft(editor: string, id: string | undefined): Promise<Draft> {
  const name = `typebadge-desk-draft ${editor} ${id ?? ''}`;
  const view = location.hash;
  const kept = sessionStorage.getItem(name);
  if (kept !== null) return { ...JSON.parse(kept), view };
  const { base, revision } = await readEntry(id);
  if (id !== undefined && base === undefined)
    throw new CallError('refused', `There is no announcement ${id} any more: the log says who changed it.`);
  return { name, view, typed: base === undefined ? nothingTyped : typedOf(base), base, revision };
}

/** Whether a draft is still what the editor wants to see: during a request, another view may have been opened. */
function isOpen({ view }: Draft): boolean {
  return location.hash === view;
}

async function readEntry(id: string | undefined): Promise<Pick<Draft, 'base' | 'revision'>> {
  const query = id === undefined ? 'limit=1' : `id=${encodeURIComponent(id)}`;
  const { body, revision } = await call<AnnouncementList>({ method: 'GET', path: `announcements?${query}` });
  return { base: id === undefined ? undefined : body.announcements[0], revision };
}

export function fillForm(opened: Draft): void {
  draft = opened;
  const { typed, base } = draft;
  form.inert = sending.has(draft.name);
  title.textContent = base === undefined ? 'New announcement' : `Edit ${base.id} (${nameOf(base.state)})`;
  publish.textContent = base === undefined ? 'Publish' : 'Save';
  find('#own-id', HTMLElement).hidden = base !== undefined;
  for (const field of textFields) field.value = typed.fields[field.name] ?? '';
  markdown.checked = typed.markdown;
  dismissible.checked = typed.dismissible;
  alongside.checked = typed.alongside;
  translationRows.replaceChildren();
  for (const words of typed.translations) addTranslation(words);
  const { at, expires } = form.elements as unknown as Record<'at' | 'expires', HTMLInputElement>;
  at.disabled = base !== undefined && base.state !== 'scheduled';
  at.required = expires.required = base !== undefined;
  find('#zone', HTMLElement).textContent = `Times are in your time zone, ${timeZone}.`;
  const { message: _, markdown: __, link: ___, at: ____, expires: _____, ...extra } = requestOf(typed);
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
  translationRows.append(row);
  return row;
}

function readTyped(): Typed {
  return {
    // What the form does not have stays: the server may know more fields than this page.
    fields: {
      ...draft.typed.fields,
      ...Object.fromEntries(textFields.map(({ name, value }) => [name, value])),
    },
    markdown: markdown.checked,
    dismissible: dismissible.checked,
    alongside: alongside.checked,
    translations: [...translationRows.children].map((row) =>
      Object.fromEntries(fieldsOf(row).map(({ name, value }) => [name, value])),
    ),
  };
}

function keep(): void {
  draft = { ...draft, typed: readTyped() };
  sessionStorage.setItem(draft.name, JSON.stringify(draft));
  showTyped();
}

/** In characters that readers see. */
function typedLength(): number {
  const { message, markdown: formatted } = requestOf(draft.typed);
  return messageLength(formatted === undefined ? String(message ?? '') : plainText(String(formatted)));
}

/** Updates the hints and the preview. */
function showTyped(): void {
  const { fields } = draft.typed;
  const counter = find('#length', HTMLElement);
  counter.textContent = `${typedLength()} of ${maxMessage}`;
  counter.classList.toggle('critical', typedLength() > maxMessage);
  find('#effect', HTMLElement).hidden = draft.base !== undefined || alongside.checked;
  const hints = [
    ['at', draft.base === undefined ? 'Empty: at once.' : ''],
    ['expires', draft.base === undefined ? 'Empty: 30 days after its start.' : ''],
  ] as const;
  for (const [name, empty] of hints) {
    const instant = instantOfField(fields[name] ?? '');
    find(`#${name}-hint`, HTMLElement).textContent = instant === undefined ? empty : `= ${utcText(instant)}`;
  }
  showPreview(requestOf(draft.typed));
}

async function submit(revision = draft.revision): Promise<void> {
  keep();
  clearNotices();
  showProblems([]);
  const { base } = draft;
  const tags = draft.typed.translations.map(({ lang = '' }) => lang.trim());
  const twice = tags.find((tag, index) => tags.indexOf(tag) !== index);
  if (twice !== undefined)
    return showProblems([{ field: `translations.${twice}`, problem: 'This language is there twice' }]);
  const body = patchOf(base === undefined ? {} : requestOf(typedOf(base)), requestOf(draft.typed));
  if (base !== undefined && Object.keys(body).length === 0) return leave(draft, 'Nothing was changed.');
  const wrong = [wrongMessage(), wrongTime(body)].filter((found) => found !== undefined);
  if (wrong[0] !== undefined) {
    complain(new CallError('refused', summaryOf(wrong) ?? `${wrong[0].problem}.`));
    return showProblems(wrong);
  }
  const sent = JSON.stringify(body);
  const wasSent = draft.sent === sent;
  const key = (wasSent && draft.key) || crypto.randomUUID();
  draft = { ...draft, sent, key };
  sessionStorage.setItem(draft.name, JSON.stringify(draft));
  const saved = draft;
  sending.add(saved.name);
  form.inert = true;
  try {
    const answer = await call<ChangedAnnouncement>({
      method: base === undefined ? 'POST' : 'PATCH',
      path: base === undefined ? 'announcements' : `announcements/${encodeURIComponent(base.id)}`,
      ...{ body, revision, key },
    }).finally(() => {
      sending.delete(saved.name);
      // Before anything is shown: a field of an inert form cannot get the focus.
      form.inert = sending.has(draft.name);
    });
    const { id, state, published, expires, supersedes } = answer.body;
    const isLater = state === 'scheduled';
    const until = state === 'active' ? ` until ${localText(expires)}` : '';
    const when = isLater ? `starts ${localText(published)}` : `is ${nameOf(state)}${until}`;
    const place = `${isLater ? 'Then it takes' : 'It takes'} the place of ${supersedes.join(', ')}.`;
    const done = `${base === undefined ? 'Published' : 'Saved'} ${id}: it ${when}.`;
    leave(saved, '');
    sayChanged(base === undefined && supersedes.length > 0 ? `${done} ${place}` : done, answer.body);
  } catch (error) {
    if (!(error instanceof CallError)) throw error;
    if (error.kind === 'changed meanwhile' && isOpen(saved)) await showConflict(saved, error, wasSent);
    else complain(error);
    if (isOpen(saved)) showProblems(error.problems);
  } finally {
    // An inert form loses the focus; without this, a keyboard would start at the top of the page again.
    if (document.activeElement === document.body) publish.focus({ preventScroll: true });
  }
}

/** Found here, so that it is shown together with a wrong time. */
function wrongMessage(): FieldProblem | undefined {
  if (typedLength() <= maxMessage) return undefined;
  return { field: 'message', problem: `The message has more than ${maxMessage} characters` };
}

/** A changed time that the server would refuse, in the words of the form. */
function wrongTime({ at, expires }: Record<string, unknown>): FieldProblem | undefined {
  const now = new Date().toISOString();
  const start = String(requestOf(draft.typed).at ?? now);
  if (typeof at === 'string' && at < now) return { field: 'at', problem: 'The start is in the past' };
  if (typeof expires !== 'string' || (expires > now && expires > start)) return undefined;
  const problem = expires > now ? 'The end is not after the start' : 'The end is in the past';
  return { field: 'expires', problem };
}

function shown(place: string, values: ReadonlyMap<string, string>): string {
  const value = values.get(place);
  if (value === undefined) return 'empty';
  return place === 'at' || place === 'expires' ? localText(value) : value;
}

function leave(saved: Draft, text: string): void {
  sessionStorage.removeItem(saved.name);
  if (isOpen(saved)) refresh('#list');
  if (text !== '') say(text);
}

/** Shows what somebody else changed, before it may be overwritten. */
async function showConflict(saved: Draft, error: CallError, wasSent: boolean): Promise<void> {
  try {
    const { base: current, revision } = await readEntry(saved.base?.id);
    if (!isOpen(saved)) return complain(error);
    const seen = draft.base === undefined ? {} : requestOf(typedOf(draft.base));
    const theirs = current === undefined ? {} : requestOf(typedOf(current));
    // An answer was lost, but the change was made.
    if (wasSent && current !== undefined && Object.keys(patchOf(theirs, requestOf(draft.typed))).length === 0)
      return leave(saved, 'Saved.');
    const [before, now, mine] = [flat(seen), flat(theirs), flat(requestOf(draft.typed))];
    const places = [...new Set([...before.keys(), ...now.keys()])].filter(
      (place) => before.get(place) !== now.get(place),
    );
    const anyway = button(draft.base === undefined ? 'Publish anyway' : 'Save mine anyway', '', () =>
      submit(revision),
    );
    const theirsButton = button('Discard mine', '', () => discard({ base: current, revision }));
    const isWithdrawn = current?.state === 'withdrawn';
    conflict.replaceChildren(
      element('p', {}, error.message),
      isWithdrawn
        ? element('p', {}, 'To change it after all, undo that in the log first: what you typed stays here.')
        : draft.base !== undefined && places.length === 0
          ? element('p', {}, 'This announcement is still as you saw it.')
          : element(
              'dl',
              {},
              ...places.flatMap((place) => [
                element('dt', {}, nameOf(place)),
                element('dd', {}, `Now: ${shown(place, now)}`),
                element('dd', {}, `Yours: ${shown(place, mine)}`),
              ]),
            ),
      element('p', { class: 'actions' }, !isWithdrawn && anyway, theirsButton),
    );
    conflict.hidden = false;
    conflict.tabIndex = -1;
    conflict.focus();
  } catch (second) {
    complain(second);
  }
}

/** Begins again with the announcement as it is known, at once: meanwhile nothing more can be typed and lost. */
function discard({ base, revision }: Pick<Draft, 'base' | 'revision'>): void {
  const { name, view } = draft;
  sessionStorage.removeItem(name);
  if (base === undefined) refresh('#list');
  else {
    fillForm({ name, view, typed: typedOf(base), base, revision });
    title.focus();
  }
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
  discard(draft);
  clearNotices();
});
find('#translate', HTMLButtonElement).addEventListener('click', () => {
  fieldsOf(addTranslation())[0]?.focus();
  keep();
});
