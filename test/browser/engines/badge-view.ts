import { until } from '../../support/until.ts';
import type { Box, Tab } from './engine.ts';

const partNames = [
  'card',
  'logo',
  'message',
  'words',
  'severity',
  'lead',
  'text',
  'links',
  'more',
  'toggle',
  'dismiss',
] as const;
export type PartName = (typeof partNames)[number];

/** What a reader finds of one part of the badge. */
export interface PartView {
  /** Empty where it is not to be seen. */
  readonly box: Box;
  readonly text: string;
  /** As attributes, such as `href`; those that are not there are undefined. */
  readonly attributes: Readonly<Record<string, string | undefined>>;
  readonly ariaLabel: string | null;
  readonly color: string;
  readonly background: string;
  readonly direction: string;
  /** How many lines of text there are to see, and whether that is all of it. */
  readonly lines: number;
  readonly isWhole: boolean;
}

/** The badge as it is in the page at one moment. */
export interface BadgeView extends Readonly<Record<PartName, PartView>> {
  /** The part that has the focus, or the id of the page's element that has. */
  readonly focused: string;
}

/** Reads the badge of the page, or of its frame, which must be of the page's own origin. */
export function viewBadge(tab: Tab, inFrame = false): Promise<BadgeView> {
  return tab.run(readBadge, partNames, inFrame);
}

function readBadge(names: readonly PartName[], inFrame: boolean): BadgeView {
  const frame = inFrame ? document.querySelector('iframe')?.contentWindow : window;
  const { document: page, getComputedStyle } = frame as typeof window;
  const root = page.querySelector('type-badge')?.shadowRoot;
  const parts = names.map((name) => {
    // Parts stay what they are while the card is away.
    const element = root?.querySelector(`[part=${name}]`) ?? page.createElement('i');
    const { x, y, width, height } = element.getBoundingClientRect();
    const { color, backgroundColor, direction, lineHeight, paddingTop } = getComputedStyle(element);
    const shownHeight = element.clientHeight - 2 * Number.parseFloat(paddingTop);
    const attributes = Object.fromEntries(
      [...element.attributes].map(({ name: key, value }) => [key, value]),
    );
    const view: PartView = {
      box: { x, y, width, height },
      text: element.textContent ?? '',
      attributes,
      ariaLabel: element.ariaLabel,
      color,
      background: backgroundColor,
      direction,
      lines: shownHeight / Number.parseFloat(lineHeight),
      isWhole: element.scrollHeight - element.clientHeight < 9,
    };
    return [name, view] as const;
  });
  const { activeElement } = page;
  const focused = activeElement?.shadowRoot?.activeElement?.getAttribute('part') ?? activeElement?.id ?? '';
  return { ...(Object.fromEntries(parts) as Record<PartName, PartView>), focused };
}

export type BadgeState = 'open' | 'collapsed' | 'brand' | 'hidden';

/** Waits until the badge is in a state, and gives what is seen then. */
export async function untilBadge(tab: Tab, state: BadgeState, inFrame = false): Promise<BadgeView> {
  await until(async () => (await tab.run(readState, inFrame)) === state);
  return viewBadge(tab, inFrame);
}

function readState(inFrame: boolean): string | undefined {
  const page = inFrame ? document.querySelector('iframe')?.contentDocument : document;
  return page?.querySelector<HTMLElement>('type-badge')?.dataset.state;
}

/** Clicks the middle of a part. */
export async function clickPart(tab: Tab, name: PartName): Promise<void> {
  const { x, y, width, height } = (await viewBadge(tab))[name].box;
  await tab.clickAt(x + width / 2, y + height / 2);
}

export function isSeen({ box }: PartView): boolean {
  return box.width > 0 && box.height > 0;
}
