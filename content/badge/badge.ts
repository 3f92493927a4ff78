import { matchesAny } from '../../src/announcements/values/patterns.ts';
import { type Announcement, fetchAnnouncements, inLanguage, NOTHING } from './announcement.ts';
import { createCard } from './card.ts';
import { type ReaderAction, recall, recallBar, remember, rememberBar } from './memory.ts';
import { type BadgeOptions, isOn, report, type Source } from './options.ts';
import { type PulseEvent, sendPulse } from './pulse.ts';

/** If the browser does not report changes of the page's address, the badge checks once a second. */
const MAX_WAIT_MS = 'navigation' in window ? 2 ** 31 - 1 : 1000;
/** An open page asks again this often while it is visible, and on becoming visible after half of it. */
const REFRESH_MS = 600_000;
const seen = new Set<string>(); // the announcements counted in this page view

/** Shows the badge until the signal aborts. */
export function showBadge(source: Source, options: Required<BadgeOptions>, signal: AbortSignal): void {
  const { base } = source;
  const isBar = !/-/.test(options.position);
  const isTop = options.position === 'top';
  const card = createCard(source, options);
  let news: readonly Announcement[] = []; // as fetched, the most important first
  let shown = NOTHING; // as last shown
  let situation = '';
  let open: boolean;
  let isNew: boolean;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let refreshed = Date.now();

  async function refresh(): Promise<void> {
    refreshed = Date.now();
    try {
      const fetched = await fetchAnnouncements(base);
      if (fetched !== null) news = inLanguage(fetched, options.lang);
      if (isTop && fetched) rememberBar({ base, css: await card.css(), news: fetched });
    } catch (problem) {
      report(problem); // what is known stays
    }
    if (signal.aborted) return;
    decide();
    addEventListener('storage', decide, { signal }); // dismissed in one tab, gone from all
    window.navigation?.addEventListener('currententrychange', decide, { signal });
  }

  const refreshIfVisible = () => document.hidden || refresh();

  /** Decides what is current and how it is shown. Called whenever that may have changed. */
  function decide(): void {
    const now = Date.now();
    let wait = MAX_WAIT_MS;
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
    // A dismissed announcement leaves nothing behind, not even the logo.
    const action = current === NOTHING && active[0] ? 'x' : recall(current.key);
    const next = `${current.key} ${action}`;
    if (next !== situation) present(current, action, next).catch(() => report('no stylesheet'));
  }

  async function present(
    current: Announcement,
    action: ReaderAction | undefined,
    next: string,
  ): Promise<void> {
    situation = next;
    if (current === NOTHING && (action || isBar || !isOn(options.showEmpty))) return card.remove();
    await card.add();
    if (signal.aborted || situation !== next) return; // overtaken while the stylesheet came
    shown = current;
    open = isBar || (!isOn(options.collapsed) && action !== '-');
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

  function emit(name: string): void {
    const detail = { id: shown.id };
    card.host.dispatchEvent(new CustomEvent(`typebadge:${name}`, { bubbles: true, detail }));
  }

  function count(event: PulseEvent): void {
    if (isOn(options.analytics)) sendPulse(base, event, shown.id);
  }

  card.toggle.onclick = () => {
    open = !open;
    const action = open ? '+' : '-';
    remember(shown.key, action);
    situation = `${shown.key} ${action}`;
    layOut();
    emit(open ? 'opened' : 'collapsed');
  };
  card.dismiss.onclick = () => {
    remember(shown.key, 'x');
    card.leave(); // the reader moves the page
    decide(); // the next one, or none
    emit('dismissed');
    count('dismiss');
  };
  card.message.onclick = ({ target }) => {
    if (!(target as Element).closest('[href]')) return;
    emit('clicked');
    count('click');
  };
  const interval = setInterval(refreshIfVisible, REFRESH_MS);
  signal.onabort = () => {
    clearTimeout(timer);
    clearInterval(interval);
    card.leave();
    card.remove();
    card.host.remove();
  };
  document.addEventListener(
    'visibilitychange',
    () => Date.now() - refreshed >= REFRESH_MS / 2 && refreshIfVisible(),
    { signal },
  );
  // A page that comes back from the back/forward cache may be days old.
  addEventListener('pageshow', ({ persisted }) => persisted && refresh(), { signal });
  // A bar at the top is added before the first paint, or over the page: it must not move what is being read.
  try {
    const kept = recallBar();
    if (isTop && kept.base === base && !document.body) {
      news = inLanguage(kept.news as [], options.lang);
      card.join(kept.css as string);
      decide();
    }
  } catch {} // the page's own scripts can write there
  // A request under way would delay the page's load event.
  if (document.readyState === 'complete') refresh();
  else addEventListener('load', refresh, { signal });
}
