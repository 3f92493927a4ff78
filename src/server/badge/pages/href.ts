import { parseLink } from '../../../announcements/values/link.ts';

/** A stored link, checked for use in a page or feed; '' if there is none or it is not a valid link. */
export function toHref(stored: string): string {
  const checked = parseLink(stored);
  return 'link' in checked ? checked.link : '';
}
