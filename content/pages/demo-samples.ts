import type { PublicAnnouncement } from '../../src/announcements/announcement.ts';
import { activeAnnouncement } from '../../src/announcements/presentation.ts';
import { matchesAny } from '../badge/audience.ts';

/** As `active.json` has it; only what this page looks at. */
interface Sample {
  readonly audience?: { readonly sites?: readonly string[]; readonly paths?: readonly string[] };
}

const always = { published: '2020-01-01T00:00:00Z', expires: '2999-01-01T00:00:00Z' };
const link = 'https://example.org/';

const samples: Readonly<Record<string, Sample & Readonly<Record<string, unknown>>>> = {
  info: {
    message: 'Our autumn release is out.',
    link,
    linkLabel: 'What is new',
    translations: {
      de: { message: 'Unsere Herbstversion ist da.', linkLabel: 'Was ist neu' },
      ar: { message: 'صدرت نسخة الخريف.', linkLabel: 'ما الجديد' },
    },
  },
  success: {
    severity: 'success',
    message: 'All services work again.',
    translations: {
      de: { message: 'Alle Dienste laufen wieder.' },
      ar: { message: 'عادت جميع الخدمات إلى العمل.' },
    },
  },
  warning: {
    severity: 'warning',
    message: 'Sign-in is slow this morning. We are working on it.',
    link,
    linkLabel: 'Status',
    translations: {
      de: { message: 'Die Anmeldung ist heute Morgen langsam. Wir arbeiten daran.', linkLabel: 'Status' },
      ar: { message: 'تسجيل الدخول بطيء هذا الصباح. نعمل على إصلاحه.', linkLabel: 'الحالة' },
    },
  },
  critical: {
    severity: 'critical',
    dismissible: false,
    message: 'Payments are down. Please do not order before noon.',
    translations: {
      de: { message: 'Zahlungen sind gestört. Bitte bestellen Sie nicht vor zwölf Uhr.' },
      ar: { message: 'الدفع متوقف. يُرجى عدم الطلب قبل الظهر.' },
    },
  },
  long: {
    message:
      'On Saturday night we move to new servers. From ten in the evening until two in the morning you can read everything, but not save, upload or send anything. Drafts that are open in your browser are kept, and mail that arrives meanwhile is delivered on Sunday, in the order in which it came.',
    translations: {
      de: {
        message:
          'In der Nacht zum Sonntag ziehen wir auf neue Server um. Von zweiundzwanzig bis zwei Uhr können Sie alles lesen, aber nichts speichern, hochladen oder versenden. Offene Entwürfe bleiben im Browser erhalten; Nachrichten werden am Sonntag zugestellt.',
      },
    },
  },
  docs: {
    message: 'This chapter is being rewritten.',
    audience: { paths: ['/docs/*'] },
    translations: {
      de: { message: 'Dieses Kapitel wird überarbeitet.' },
      ar: { message: 'تُعاد كتابة هذا الفصل.' },
    },
  },
};

export interface PreviewRequest {
  /** Name of a sample; `none`: nothing is announced; empty: what the server has. */
  readonly sample: string;
  /** Address of the page that the badge is thought to be on; empty: one without an audience. */
  readonly address: string;
}

/**
 * A `fetch` for the preview's window: what the server, or a sample, has for a page of that address. The preview has no address of its own
 * that an audience could match, so the audience is looked at here.
 */
export function createPreviewFetch({ sample, address }: PreviewRequest): typeof fetch {
  return async (...request) => {
    if (!String(request[0]).endsWith('active.json')) return fetch(...request); // the stylesheet
    if (sample === 'none') return Response.json({ announcements: [] });
    const chosen = samples[sample];
    const reply = chosen ? undefined : await fetch(...request);
    if (reply && !reply.ok) return reply;
    const { announcements } = reply
      ? await reply.json()
      : { announcements: [newAnnouncement(sample, chosen)] };
    const shown = announcements.filter((announcement: Sample) => isFor(announcement, address));
    return Response.json({ announcements: shown.map((one: Sample) => ({ ...one, audience: undefined })) });
  };
}

function newAnnouncement(sample: string, words: Sample | undefined): object {
  const announcement: object = { id: `sample-${sample}`, link: '', ...always, ...words };
  return activeAnnouncement(announcement as PublicAnnouncement);
}

function isFor({ audience: { sites, paths } = {} }: Sample, address: string): boolean {
  if (!URL.canParse(address)) return !sites && !paths;
  const { origin, pathname } = new URL(address);
  return matchesAny(sites, origin) && matchesAny(paths, pathname);
}
