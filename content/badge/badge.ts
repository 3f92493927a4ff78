import { type Announcement, NOTHING, readAnnouncement } from './announcement.ts';
import { createCard } from './card.ts';
import { recall, remember } from './memory.ts';
import { type BadgeOptions, isOn, type Source } from './options.ts';
import { type PulseEvent, sendPulse } from './pulse.ts';

const LONGEST_TIMER_MS = 2 ** 31 - 1;
const seen = new Set<string>(); // the announcements counted in this page view

/** Shows the badge until the signal aborts. */
export function showBadge(source: Source, options: BadgeOptions, signal: AbortSignal): void {
  const card = createCard(source, options, { onToggle, onDismiss, onClick });
  let news = NOTHING; // as fetched
  let shown = NOTHING; // as decided
  let decided = false;
  let open: boolean;
  let isNew: boolean;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function refresh(): Promise<void> {
    news = await readAnnouncement(source.base);
    await card.styled;
    if (!signal.aborted) decide();
  }

  /** What is in force now? Asked again when the announcement begins or ends while the page is open. */
  function decide(): void {
    const now = Date.now();
    const { published, expires } = news;
    const change = published > now ? published : expires;
    clearTimeout(timer);
    if (change > now) timer = setTimeout(decide, Math.min(change - now, LONGEST_TIMER_MS));
    const current = published <= now && now < expires ? news : NOTHING;
    if (!decided || shown.key !== current.key) present(current);
    decided = true;
  }

  function present(current: Announcement): void {
    shown = current;
    const deed = recall(shown.key);
    open = !isOn(options.collapsed) && deed !== '-';
    isNew = !deed && shown !== NOTHING;
    card.giveFocusBack();
    if (deed === 'x' || (shown === NOTHING && isOn(options.hideEmpty))) {
      card.hide();
    } else {
      card.write(shown);
      layOut();
      emit('shown');
    }
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

  function onToggle(): void {
    open = !open;
    remember(shown.key, open ? '+' : '-');
    layOut();
    emit(open ? 'opened' : 'collapsed');
  }

  function onDismiss(): void {
    remember(shown.key, 'x');
    card.giveFocusBack();
    card.hide();
    emit('dismissed');
    count('dismiss');
  }

  function onClick(): void {
    emit('clicked');
    count('click');
  }

  function emit(name: string): void {
    const detail = { id: shown.id };
    card.host.dispatchEvent(new CustomEvent(`typebadge:${name}`, { bubbles: true, detail }));
  }

  function count(event: PulseEvent): void {
    if (isOn(options.analytics ?? true)) sendPulse(source.base, event, shown.id);
  }

  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    card.giveFocusBack();
    card.host.remove();
  });
  // A page that comes back from the back/forward cache may be days old.
  addEventListener('pageshow', ({ persisted }) => persisted && refresh(), { signal });
  // Beside the body, not in it: page swaps replace the body, and `body > :last-child` stays what it was.
  document.documentElement.append(card.host);
  refresh();
}
