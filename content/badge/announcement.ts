export interface Announcement {
  readonly key: string;
  readonly id: string;
  readonly message: string;
  /** An absolute http or https URL, or '' where the message is text alone. */
  readonly href: string;
  /** Words of the link; '' where the message is the link. */
  readonly linkLabel: string;
  /** The language of the words; '' where it is not known. */
  readonly lang: string;
  /** `success`, `warning` or `critical`; '' for information. */
  readonly severity: string;
  readonly isFixed: boolean;
  /** Patterns: of the page's origin and of its path, one of each must match. */
  readonly sites: readonly string[];
  readonly paths: readonly string[];
  /** Milliseconds since the epoch. */
  readonly published: number;
  readonly expires: number;
}

/** Never current. */
export const NOTHING = { key: '', id: '', lang: '', severity: '' } as Announcement;

const PATIENCE_MS = 5000;
const LONGEST_MESSAGE = 999; // the server's own limit is 280; this one is for a server that keeps none

/** What is active, the most important first, in the reader's language; nothing after any trouble, which is logged once to the console. */
export async function readAnnouncements(base: string, language: string): Promise<readonly Announcement[]> {
  try {
    const reply = await fetch(`${base}content/active.json`, {
      cache: 'no-cache', // asks whether it changed at each view; as a rule it did not, and no body comes
      credentials: 'omit',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    // An error is read too: a body left unread keeps its connection busy.
    const { announcements } = await reply.json();
    if (!reply.ok) throw reply.status;
    return announcements.map((written: Written) => toAnnouncement(written, language));
  } catch (problem) {
    console.debug('typebadge: no announcement:', problem);
    return [];
  }
}

interface Written {
  readonly [name: string]: unknown;
  readonly id?: string;
  readonly message?: string;
  readonly link?: string;
  readonly linkLabel?: string;
  readonly lang?: string;
  readonly severity?: string;
  readonly published?: string;
  readonly expires?: string;
  readonly audience?: { readonly sites?: unknown; readonly paths?: unknown };
}

/** A value that is not what it should be has no such methods, and throws. */
function toAnnouncement(written: Written, language: string): Announcement {
  const { id = '', published = '', expires = '', severity = '', dismissible, audience } = written;
  const { message = '', link, linkLabel = '', lang = '' } = toWords(written, language);
  const href = toSafeHref(link);
  if (!id.match(/^[\w.-]{1,64}$/) || !message.trim()) throw 'malformed';
  return {
    key: `${id}~${toRevision(`${written.message}${written.link}`)}`,
    id,
    message: message.slice(0, LONGEST_MESSAGE),
    href,
    linkLabel: href && linkLabel.slice(0, 40),
    lang,
    severity: `${severity}`,
    isFixed: `${dismissible}` === 'false',
    sites: toPatterns(audience?.sites),
    paths: toPatterns(audience?.paths),
    published: Date.parse(published),
    expires: Date.parse(expires),
  };
}

const toPatterns = (given: unknown): string[] => [given ?? '*'].flat().map(String);

/** The words in that language, else in it without its region, else as written. */
function toWords(written: Written, language: string): Written {
  const translations = Object.entries<Written>(Object(written.translations));
  for (let tag = language.toLowerCase(); tag; tag = tag.replace(/-?[^-]*$/, '')) {
    const found = translations.find(([known]) => known.toLowerCase() === tag);
    if (found) return { ...written, ...found[1], lang: found[0] };
  }
  return written;
}

/** An edited message or link is news again: 32 bits of both tell one revision from the next. */
function toRevision(text: string): string {
  let hash = 0;
  for (const character of text) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) | 0;
  return hash.toString(36);
}

function toSafeHref(link: unknown): string {
  try {
    const { protocol, href } = new URL(link as string);
    return /^https?:$/.test(protocol) ? href : '';
  } catch {
    return '';
  }
}
