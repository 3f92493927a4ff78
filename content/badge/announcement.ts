import type { ActiveAnnouncement } from '../../src/announcements/presentation.ts';
import type { TextPart } from '../../src/announcements/values/markdown.ts';

/** An announcement as the server has it, with what the badge derives. Missing fields are undefined. */
export interface Announcement extends Written {
  /** Unique for each revision of each announcement; '' if there is none. */
  readonly key: string;
  readonly id: string;
  /** The message, an element for each formatted piece: the server's words are never markup. */
  readonly pieces: readonly (Element | string)[];
  /** The language of the words; '' if it is not known. */
  readonly lang: string;
}

/** Never current. */
export const NOTHING: Announcement = { key: '', id: '', lang: '', pieces: [] };

const PATIENCE_MS = 5000;
const MAX_MESSAGE = 999; // a server's limit is 280; this one is for servers without

/** As the server should have written it. */
export type Written = Partial<ActiveAnnouncement>;

/** What is active, the most important first; null if this page may not read it. Rejects on other failures. */
export async function fetchAnnouncements(base: string): Promise<readonly Written[] | null> {
  let reply: Response | undefined;
  try {
    reply = await fetch(`${base}content/active.json`, {
      cache: 'no-cache', // revalidates at each view; the answer is mostly 304, without a body
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

/** The announcements in the reader's language. Throws if one is malformed. */
export function inLanguage(all: readonly Written[], language: string): readonly Announcement[] {
  return all.map((written) => {
    const { id, message, link } = written;
    const translations = Object(written.translations);
    // Matching tags are prefixes of each other, so the last one is the longest: `de-at` wins over `de`.
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
  // On other elements, `href` has no effect.
  return tag ? Object.assign(document.createElement(tag), { textContent, href: link }) : textContent;
}

/** Neither `javascript:` nor anything else that runs here. */
export function isAddress(link = ''): boolean {
  return /^https?:\/\//i.test(link) && URL.canParse(link);
}
