import { type Call, CallError, call, keepToken } from './api.ts';
import { button, element, find } from './elements.ts';

const status = find('#status', HTMLElement);
const alert = find('#alert', HTMLElement);

/** Says what was done, and offers actions on it. */
export function say(text: string, ...actions: readonly HTMLElement[]): void {
  clearNotices();
  status.append(element('p', {}, text), ...actions);
}

export function clearNotices(): void {
  status.replaceChildren();
  alert.replaceChildren();
}

/** Says what went wrong. A token that is not accepted leads to the sign-in. */
export function complain(error: unknown, ...actions: readonly HTMLElement[]): void {
  const message = error instanceof CallError ? error.message : `The page failed: ${String(error)}`;
  clearNotices();
  alert.append(element('p', {}, message), ...actions);
  alert.scrollIntoView({ block: 'nearest' });
  if (!(error instanceof CallError) || error.kind !== 'signed out') return;
  keepToken(undefined);
  dispatchEvent(new Event('signed-out'));
}

let isOwnMove = false;
addEventListener('hashchange', () => {
  if (!isOwnMove) clearNotices();
  isOwnMove = false;
});

/** Shows the view that the hash names, the same again or another; notices stay. */
export function refresh(hash = location.hash): void {
  isOwnMove = true;
  if (location.hash === hash) dispatchEvent(new HashChangeEvent('hashchange'));
  else location.hash = hash;
}

/** The part of an answer to a change that is shown. */
interface Changed {
  readonly change?: number | null;
  readonly id?: string;
  readonly warnings?: readonly string[];
}

/** What leads back: a change of the log is undone or redone by its number, anything else by a button. */
type Way = 'Undo' | 'Redo' | HTMLElement;

let isChanging = false;

/**
 * Makes a change for a button, reports it, and offers the way back. Without an answer, it can be tried again:
 * with the same key it is made once. Resolves to whether it was made; one at a time.
 */
export async function change(
  request: Omit<Call, 'key'>,
  done: string,
  back: Way = 'Undo',
  key = crypto.randomUUID(),
): Promise<boolean> {
  if (isChanging) {
    say('Another change is being made: press again when it is done.');
    return false;
  }
  isChanging = true;
  try {
    const { body } = await call<Changed>({ ...request, key });
    refresh();
    sayChanged(done, body, back);
    return true;
  } catch (error) {
    const kind = error instanceof CallError ? error.kind : undefined;
    // It may have been refused because what is shown is old.
    if (kind === 'refused' || kind === 'changed meanwhile') refresh();
    const again = button('Try again', '', () => change(request, done, back, key));
    complain(error, ...(kind === 'unanswered' ? [again] : []));
    return false;
  } finally {
    isChanging = false;
  }
}

/** @param way `Redo`: the change is itself an undo */
export function undoChange(number: number, id: string, revision?: string, way: 'Undo' | 'Redo' = 'Undo') {
  const request = { method: 'POST', path: 'announcements/undo', body: { change: number }, revision } as const;
  if (way === 'Redo') return change(request, `Redid the change of ${id}.`);
  return change(request, `Undid change ${number}, of ${id}.`, 'Redo');
}

export function sayChanged(done: string, body: Changed, back: Way = 'Undo'): void {
  const { change: number, id = '', warnings = [] } = body;
  const text = [done, ...warnings.map((warning) => ` Note: ${warning.replace(/\.$/, '')}.`)].join('');
  if (typeof back !== 'string') say(text, back);
  else say(text, ...(number ? [button(back, '', () => undoChange(number, id, undefined, back))] : []));
}
