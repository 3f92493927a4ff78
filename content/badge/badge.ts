import { type Announcement, NOTHING, readAnnouncements } from './announcement.ts';
import { matchesAny } from './audience.ts';
import { createCard } from './card.ts';
import { type ReaderAction, recall, remember } from './memory.ts';
import { type BadgeOptions, isOn, type Source } from './options.ts';
import { type PulseEvent, sendPulse } from './pulse.ts';

/** Where the browser says nothing about the page's address, the badge looks once a second. */
const LONGEST_WAIT_MS = 'navigation' in window ? 2 ** 31 - 1 : 1000;
const seen = new Set<string>(); // the announcements counted in this page view

/** Shows the badge until the signal aborts. */
export function showBadge(source: Source, options: BadgeOptions, signal: AbortSignal): void {
  const card = createCard(source, options);
  let news: readonly Announcement[] = []; // as fetched, the most important first
  let shown = NOTHING; // as last shown
  let situation = '';
  let open: boolean;
  let isNew: boolean;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function refresh(): Promise<void> {
    news = await readAnnouncements(source.base, options.lang || document.documentElement.lang);
    if (signal.aborted) return;
    decide();
    addEventListener('storage', decide, { signal }); // dismissed in one tab, gone from all
    window.navigation?.addEventListener('currententrychange', decide, { signal });
  }

  /** What is current, and what did the reader do with it? Asked again whenever that may have changed. */
  function decide(): void {
    const now = Date.now();
    let wait = LONGEST_WAIT_MS;
    const active = news.filter(({ published = '', expires = '', audience }) => {
      const begins = Date.parse(published) - now;
      const ends = Date.parse(expires) - now;
      for (const left of [begins, ends]) if (left > 0) wait = Math.min(wait, left);
      return (
        begins <= 0 &&
        ends > 0 &&
        matchesAny(audience?.sites, location.origin) &&
        matchesAny(audience?.paths, location.pathname)
      );
    });
    clearTimeout(timer);
    if (news[0]) timer = setTimeout(decide, wait);
    const current =
      active.find(({ key, dismissible }) => dismissible === false || recall(key) !== 'x') ?? NOTHING;
    // What was dismissed leaves nothing behind, not even the logo.
    const action = current === NOTHING && active[0] ? 'x' : recall(current.key);
    const next = `${current.key} ${action}`;
    if (next !== situation) present(current, action, next);
  }

  async function present(
    current: Announcement,
    action: ReaderAction | undefined,
    next: string,
  ): Promise<void> {
    situation = next;
    if (current === NOTHING && (action || isOn(options.hideEmpty))) return card.hide();
    await card.attach();
    if (signal.aborted || situation !== next) return; // overtaken while the stylesheet came
    shown = current;
    open = !isOn(options.collapsed) && action !== '-';
    isNew = !action && shown !== NOTHING;
    card.write(shown, isNew && !seen.has(shown.id));
    layOut();
    emit('shown');
  }

  function layOut(): void {
    const state = shown === NOTHING ? 'brand' : open ? 'open' : 'collapsed';
    isNew &&= !open;
    card.show(state, isNew);
    if (state === 'open' && !seen.has(shown.id)) {
      seen.add(shown.id);
      count('impression');
    }
  }

  function note(action: ReaderAction): void {
    remember(shown.key, action);
    situation = `${shown.key} ${action}`;
  }

  function emit(name: string): void {
    const detail = { id: shown.id };
    card.host.dispatchEvent(new CustomEvent(`typebadge:${name}`, { bubbles: true, detail }));
  }

  function count(event: PulseEvent): void {
    if (isOn(options.analytics ?? true)) sendPulse(source.base, event, shown.id);
  }

  card.toggle.onclick = () => {
    open = !open;
    note(open ? '+' : '-');
    layOut();
    emit(open ? 'opened' : 'collapsed');
  };
  card.dismiss.onclick = () => {
    remember(shown.key, 'x');
    decide(); // the next one, or none
    emit('dismissed');
    count('dismiss');
  };
  card.text.onclick = () => {
    if (!card.text.href) return;
    emit('clicked');
    count('click');
  };
  signal.onabort = () => {
    clearTimeout(timer);
    card.hide();
    card.host.remove();
  };
  // A page that comes back from the back/forward cache may be days old.
  addEventListener('pageshow', ({ persisted }) => persisted && refresh(), { signal });
  refresh();
}
