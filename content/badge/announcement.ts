export interface Announcement {
  readonly key: string;
  readonly id: string;
  readonly message: string;
  /** An absolute http or https URL, or '' where the message is text alone. */
  readonly href: string;
  /** Milliseconds since the epoch. */
  readonly published: number;
  readonly expires: number;
}

/** In force at no time. */
export const NOTHING: Announcement = { key: '', id: '', message: '', href: '', published: 0, expires: 0 };

const PATIENCE_MS = 5000;
const LONGEST_MESSAGE = 999; // the server's own limit is 280; this one is for a server that keeps none

/** The current announcement, or `NOTHING` after any trouble, which is told once to the console. */
export async function readAnnouncement(base: string): Promise<Announcement> {
  try {
    const reply = await fetch(`${base}content/announcement.json`, {
      credentials: 'omit',
      signal: AbortSignal.timeout(PATIENCE_MS),
    });
    // An error is read too: a body left unread keeps its connection busy.
    const { id, message, link, published, expires } = await reply.json();
    if (!reply.ok) throw reply.status;
    // What is no text has no such methods, and throws all the same.
    if (!id.match(/^[\w.-]{1,64}$/) || !message.trim()) throw 'malformed';
    return {
      key: `${id}~${toRevision(message + link)}`,
      id,
      message: message.slice(0, LONGEST_MESSAGE),
      href: toSafeHref(link),
      published: Date.parse(published),
      expires: Date.parse(expires),
    };
  } catch (problem) {
    console.debug('typebadge: no announcement:', problem);
    return NOTHING;
  }
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
