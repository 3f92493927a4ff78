import { type Announcement, NOTHING, readAnnouncement } from './announcement.ts';
import { createCard } from './card.ts';
import { type Deed, recall, remember } from './memory.ts';
import { type BadgeOptions, isOn, type Source } from './options.ts';
import { type PulseEvent, sendPulse } from './pulse.ts';

const LONGEST_TIMER_MS = 2 ** 31 - 1;
const seen = new Set<string>(); // the announcements counted in this page view

/** Shows the badge until the signal aborts. */
export function showBadge(source: Source, options: BadgeOptions, signal: AbortSignal): void {
  const card = createCard(source, options);
  let news = NOTHING; // as fetched
  let shown = NOTHING; // as last shown
  let situation = '';
  let open: boolean;
  let isNew: boolean;
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function refresh(): Promise<void> {
    news = await readAnnouncement(source.base);
    if (signal.aborted) return;
    decide();
    addEventListener('storage', decide, { signal }); // dismissed in one tab, gone from all
  }

  /** What is in force now, and what did the reader do with it? Asked again whenever that may have changed. */
  function decide(): void {
    const now = Date.now();
    const { published, expires } = news;
    const change = published > now ? published : expires;
    clearTimeout(timer);
    if (change > now) timer = setTimeout(decide, Math.min(change - now, LONGEST_TIMER_MS));
    const current = published <= now && now < expires ? news : NOTHING;
    const deed = recall(current.key);
    if (situation !== toSituation(current, deed)) present(current, deed);
  }

  async function present(current: Announcement, deed: Deed | undefined): Promise<void> {
    const asked = toSituation(current, deed);
    situation = asked;
    if (deed === 'x' || (current === NOTHING && isOn(options.hideEmpty))) return card.hide();
    await card.attach();
    if (signal.aborted || situation !== asked) return; // overtaken while the stylesheet came
    shown = current;
    open = !isOn(options.collapsed) && deed !== '-';
    isNew = !deed && shown !== NOTHING;
    card.write(shown);
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

  function note(deed: Deed): void {
    remember(shown.key, deed);
    situation = toSituation(shown, deed);
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
    note('x');
    card.hide();
    emit('dismissed');
    count('dismiss');
  };
  card.text.onclick = () => {
    if (!shown.href) return;
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

function toSituation({ key }: Announcement, deed: Deed | undefined): string {
  return `${key} ${deed}`;
}
