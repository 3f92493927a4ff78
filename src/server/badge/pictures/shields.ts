import type { PublicAnnouncement } from '../../../announcements/announcement.ts';

const colours = { info: 'blue', success: 'success', warning: 'orange', critical: 'critical' } as const;

/** Seconds that a cache may keep a picture or a shield. */
export const pictureAge = 300;

/** Input of the endpoint badge of Shields (shields.io/badges/endpoint-badge). */
export function shieldOf(brand: string, announcement: PublicAnnouncement | undefined) {
  return {
    schemaVersion: 1,
    label: brand,
    message: announcement?.message ?? 'no announcement',
    color: announcement === undefined ? 'lightgrey' : colours[announcement.severity ?? 'info'],
    cacheSeconds: pictureAge,
  };
}
