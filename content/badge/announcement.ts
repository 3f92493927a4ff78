import type { ActiveAnnouncement } from '../../src/announcements/drawn.ts';
import type { TextPart } from '../../src/announcements/values/markdown.ts';

/** As the server has it, with what the badge found out. Fields that are not there are undefined. */
export interface Announcement extends Written {
  /** Not the same for any other announcement or revision of it; '' where there is none. */
  readonly key: string;
  readonly id: string;
  /** The message, an element for each formatted piece: the server's words are never markup. */
  readonly pieces: readonly (Element | string)[];
  /** The language of the words; '' where it is not known. */
  readonly lang: string;
}

/** Never current. */
export const NOTHING: Announcement = { key: '', id: '', lang: '', pieces: [] };

const PATIENCE_MS = 5000;
const MAX_MESSAGE = 999; // the server's own limit is 280; this one is for a server that keeps none

/** As the server should have written it. */
export type Written = Partial<ActiveAnnouncement>;

/** What is active, the most important first; null if this page may not read it. Rejects after any other trouble. */
export async function fetchAnnouncements(base: string): Promise<readonly Written[] | null> {
  let reply: Response | undefined;
  try {
    reply = await fetch(`${base}content/active.json`, {
      cache: 'no-cache', // asks at each view whether it has changed; mostly it has not, and there is no body
      credentials: 'omit',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
  } catch (problem) {
    if (!(problem instanceof TypeError)) throw problem;
    // A page that is not on the allow-list may read nothing at all, and only its owner can change that.
    console.warn(`typebadge: no access. On the server: typebadge origins add ${origin}`);
    return null;
  }
  // An error is read too: a body left unread keeps its connection busy.
  const { announcements } = await reply.json();
  if (!reply.ok) throw reply.status;
  return announcements;
}

/** The announcements in the reader's language. Throws if one is malformed: a value of another type has no such methods. */
export function inLanguage(all: readonly Written[], language: string): readonly Announcement[] {
  return all.map((written) => {
    const { id, message, link } = written;
    const translations = Object(written.translations);
    // All that match begin the same, so that the last one is the longest: `de-at` goes before `de`.
    const lang = Object.keys(translations)
      .filter((tag) => `${language}-`.toLowerCase().startsWith(`${tag}-`.toLowerCase()))
      .sort()
      .pop();
    const words = { ...written, ...translations[lang as string] };
    if (!(id as string).match(/^[\w.-]{1,64}$/) || !words.message.trim()) throw id;
    return {
      ...words,
      key: `${id}~${message}${link}`.slice(0, MAX_MESSAGE), // edited, it is news again
      lang: lang ?? '',
      pieces: (words.parts ?? [{ text: words.message }]).map(drawPiece),
    };
  });
}

function drawPiece({ text, mark, link }: TextPart): Element | string {
  const textContent = text.slice(0, MAX_MESSAGE);
  const tag = isAddress(link) ? 'a' : /^(strong|em|code)$/.test(mark as string) && (mark as string);
  // On other elements, `href` means nothing.
  return tag ? Object.assign(document.createElement(tag), { textContent, href: link }) : textContent;
}

/** Not `javascript:` or anything else that runs here. */
export function isAddress(link = ''): boolean {
  return /^https?:\/\//i.test(link) && URL.canParse(link);
}
