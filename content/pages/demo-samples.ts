import type { PublicAnnouncement } from '../../src/announcements/announcement.ts';
import { withDrawnParts } from '../../src/announcements/presentation.ts';

const link = 'https://example.org/';

const samples: Readonly<Record<string, Partial<PublicAnnouncement> & { readonly message: string }>> = {
  info: { message: 'Our autumn release is out.', link, linkLabel: 'What is new' },
  success: { severity: 'success', message: 'All services work again.' },
  warning: {
    severity: 'warning',
    message: 'Sign-in is slow this morning. We are working on it.',
    link,
    linkLabel: 'Status',
  },
  critical: {
    severity: 'critical',
    dismissible: false,
    message: 'Payments are down. Please do not order before noon.',
  },
  long: {
    message:
      'On Saturday night we move to new servers. From ten in the evening until two in the morning you can read everything, but not save, upload or send anything. Drafts that are open in your browser are kept, and mail that arrives meanwhile is delivered on Sunday, in the order in which it came.',
  },
};

/**
 * A `fetch` for the preview's window: what the server has for everyone, or a sample. The preview has no
 * address that an audience could match.
 *
 * @param sample name of a sample; `none`: nothing is announced; empty: what the server has
 * @param onNothing called before an answer without announcements
 */
export function createPreviewFetch(sample: string, onNothing: () => void): typeof fetch {
  const answer = (announcements: readonly object[]) => {
    if (announcements.length === 0) onNothing();
    return Response.json({ announcements });
  };
  return async (...request) => {
    if (!String(request[0]).endsWith('active.json')) return fetch(...request); // the stylesheet
    if (sample === 'none') return answer([]);
    const chosen = samples[sample];
    if (chosen !== undefined) return answer([newAnnouncement(sample, chosen)]);
    const reply = await fetch(...request);
    if (!reply.ok) return reply;
    const { announcements } = (await reply.json()) as { announcements: readonly PublicAnnouncement[] };
    return answer(announcements.filter(({ audience }) => audience === undefined));
  };
}

function newAnnouncement(sample: string, words: (typeof samples)[string]): object {
  const always = { published: '2020-01-01T00:00:00Z', expires: '2999-01-01T00:00:00Z' };
  return withDrawnParts({ id: `sample-${sample}`, link: '', ...always, ...words });
}
