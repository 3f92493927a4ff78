// The page for editors: which view is shown, and who is signed in. The hash of the address names the view.
import { CallError, call, keepToken, readToken } from './api.ts';
import { completeAddresses, find } from './elements.ts';
import { announcementRows, logRows, numberRows, type Rows, siteRows } from './lists.ts';
import { clearNotices, complain, refresh } from './notices.ts';
import { fillForm, readDraft } from './write.ts';

const nav = find('nav', HTMLElement);
const editor = find('#editor', HTMLElement);
const siteTitle = document.title;
const token = find('#token', HTMLInputElement);

const lists: Readonly<Record<string, () => Promise<Rows>>> = {
  list: () => announcementRows(showEditor),
  log: logRows,
  numbers: numberRows,
  sites: siteRows,
};

let viewNumber = 0;
let shownHash: string | undefined;

/** Shows the view that the hash names, or the sign-in. The latest call wins. */
async function show(): Promise<void> {
  viewNumber += 1;
  const number = viewNumber;
  const isSignedIn = readToken() !== null;
  nav.hidden = editor.hidden = !isSignedIn;
  if (!isSignedIn) return open('sign-in');
  const [[name, id] = ['list', '']] = new URLSearchParams(location.hash.slice(1));
  const view = name === 'new' || name === 'edit' ? 'write' : Object.hasOwn(lists, name) ? name : 'list';
  const had = document.activeElement;
  try {
    const shown = await (lists[view]?.() ?? readDraft(readEditor(), id || undefined));
    if (number !== viewNumber) return;
    if ('typed' in shown) fillForm(shown);
    else find(`#${view} .rows`, HTMLElement).replaceChildren(...shown);
    open(view);
    // The button that was pressed is gone; without this, a keyboard would start at the top of the page again.
    if (had !== document.activeElement && document.activeElement === document.body)
      find(`#${view} h1`, HTMLElement).focus();
  } catch (error) {
    if (number !== viewNumber) return;
    if (view === 'write' && error instanceof CallError && error.kind === 'refused') refresh('#list');
    complain(error);
  }
}

function open(view: string): void {
  const isSame = shownHash === `${view}${location.hash}`;
  shownHash = `${view}${location.hash}`;
  for (const section of document.querySelectorAll<HTMLElement>('main > section'))
    section.hidden = section.id !== view;
  for (const link of nav.querySelectorAll('a')) {
    const isCurrent = link.hash === `#${view === 'write' ? 'list' : view}`;
    if (isCurrent) link.setAttribute('aria-current', 'page');
    else link.removeAttribute('aria-current');
  }
  const heading = find(`#${view} h1`, HTMLElement);
  document.title = `${heading.textContent} · ${siteTitle}`;
  if (view === 'sign-in') token.focus();
  else if (!isSame) (location.hash === '#new' ? find('#message', HTMLElement) : heading).focus();
}

const editorName = 'typebadge-desk-editor';

const readEditor = () => sessionStorage.getItem(editorName) ?? '';

/** Stored in the tab, because a form that is opened again sends no request. */
function showEditor(name: string): void {
  sessionStorage.setItem(editorName, name);
  find('#editor span', HTMLElement).textContent = name;
}

find('#sign-in form', HTMLFormElement).addEventListener('submit', async (event) => {
  event.preventDefault();
  // With a token that is copied from a message, characters may come along that no header takes.
  keepToken(token.value.replace(/[^!-~]/g, ''));
  try {
    const { body } = await call<{ editor: string }>({ method: 'GET', path: 'announcements?limit=1' });
    showEditor(body.editor);
    token.value = '';
    clearNotices();
    refresh();
  } catch (error) {
    keepToken(undefined);
    complain(error);
    token.select();
  }
});
find('#editor button', HTMLButtonElement).addEventListener('click', () => {
  // What was typed and listed, too: the next person at this tab need not see it.
  sessionStorage.clear();
  location.hash = '#list';
  location.reload();
});
addEventListener('hashchange', show);
addEventListener('signed-out', show);
document.addEventListener('visibilitychange', () => {
  // Somebody else may have changed something meanwhile.
  if (!document.hidden && find('#write', HTMLElement).hidden) show();
});
completeAddresses();
showEditor(readEditor());
show();
