/** As the server has it, with what the badge found out. Fields that are not there are undefined. */
export interface Announcement extends Written {
  /** Not the same for any other announcement or revision of it; '' where there is none. */
  readonly key: string;
  readonly id: string;
  /** The language of the words; '' where it is not known. */
  readonly lang: string;
}

/** Never current. */
export const NOTHING = { key: '', id: '', lang: '' } as Announcement;

const PATIENCE_MS = 5000;
const LONGEST_MESSAGE = 999; // the server's own limit is 280; this one is for a server that keeps none

/** What is active, the most important first, in the reader's language; nothing after any trouble, which is logged once to the console. */
export async function readAnnouncements(base: string, language: string): Promise<readonly Announcement[]> {
  let reply: Response | undefined;
  try {
    reply = await fetch(`${base}content/active.json`, {
      cache: 'no-cache', // asks at each view whether it has changed; mostly it has not, and there is no body
      credentials: 'omit',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    // An error is read too: a body left unread keeps its connection busy.
    const { announcements } = await reply.json();
    if (!reply.ok) throw reply.status;
    return announcements.map((written: Written) => toAnnouncement(written, language));
  } catch (problem) {
    // A page that is not on the allow-list may read nothing at all, and only its owner can change that.
    if (!reply && problem instanceof TypeError)
      console.warn(
        `typebadge: no announcement for this site. On the server: typebadge origins add ${origin}`,
      );
    else console.debug('typebadge: no announcement:', problem);
    return [];
  }
}

interface Written {
  readonly id?: string;
  readonly message?: string;
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

/** A value that is not what it should be has no such methods, and throws. */
function toAnnouncement(written: Written, language: string): Announcement {
  const { id, message, link } = written;
  const translations = Object(written.translations);
  // All that match begin the same, so that the last one is the longest: `de-at` goes before `de`.
  const lang = Object.keys(translations)
    .filter((tag) => `${language}-`.toLowerCase().startsWith(`${tag}-`.toLowerCase()))
    .sort()
    .pop();
  const words = { ...written, ...translations[lang as string] };
  if (!(id as string).match(/^[\w.-]{1,64}$/) || !words.message.trim()) throw 'malformed';
  return {
    ...words,
    key: `${id}~${message}${link}`.slice(0, LONGEST_MESSAGE), // edited, it is news again
    message: words.message.slice(0, LONGEST_MESSAGE),
    lang: lang ?? '',
  };
}
