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
  readonly warnings?: readonly string[];
}

let isChanging = false;

/**
 * Makes a change for a button, reports it, and offers to undo it. Without an answer, it can be tried again:
 * with the same key it is made once. Resolves to whether it was made; one at a time.
 */
export async function change(
  request: Omit<Call, 'key'>,
  done: string,
  key = crypto.randomUUID(),
): Promise<boolean> {
  if (isChanging) return false;
  isChanging = true;
  try {
    const { body } = await call<Changed>({ ...request, key });
    refresh();
    sayChanged(done, body);
    return true;
  } catch (error) {
    const isLost = error instanceof CallError && error.kind === 'unanswered';
    const isStale = error instanceof CallError && error.kind === 'changed meanwhile';
    if (isStale) refresh();
    complain(error, ...(isLost ? [button('Try again', '', () => change(request, done, key))] : []));
    return false;
  } finally {
    isChanging = false;
  }
}

export function sayChanged(done: string, { change: number, warnings = [] }: Changed): void {
  const text = [done, ...warnings.map((warning) => ` Note: ${warning.replace(/\.$/, '')}.`)].join('');
  const undo = () =>
    change(
      { method: 'POST', path: 'announcements/undo', body: { change: number } },
      `Undone: change ${number}.`,
    );
  say(text, ...(number ? [button('Undo', '', undo)] : []));
}
