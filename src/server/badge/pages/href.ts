import { parseLink } from '../../../announcements/values/link.ts';

/** A stored link as it may go into a page or feed, or '' where there is none or it is not what a link should be. */
export function toHref(stored: string): string {
  const checked = parseLink(stored);
  return 'link' in checked ? checked.link : '';
}
