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

export interface TextPart {
  readonly text: string;
  readonly mark?: string;
  readonly link?: string;
}

export interface Written {
  readonly id?: string;
  readonly message?: string;
  /** A formatted message in pieces. */
  readonly parts?: readonly TextPart[];
  readonly link?: string;
  readonly linkLabel?: string;
  /** `success`, `warning` or `critical`. */
  readonly severity?: string;
  /** What that is called in the language of a translation, where the server knows it. */
  readonly severityLabel?: string;
  readonly dismissible?: boolean;
  readonly published?: string;
  readonly expires?: string;
  /** Patterns: of the page's origin and of its path, one of each must match. */
  readonly audience?: { readonly sites?: readonly string[]; readonly paths?: readonly string[] };
  readonly translations?: Readonly<Record<string, Written>>;
}

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
