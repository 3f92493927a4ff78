import { fieldNames } from '../../announcements/fields.ts';
import { toCsvField } from '../output/csv-field.ts';
import type { AnnouncementJson } from './announcement-json.ts';
import { toPlainText } from './announcement-lines.ts';

/** One line per announcement, for a spreadsheet: its state, and every field as text. Instants are in UTC. */
export function toAnnouncementTable(announcements: readonly AnnouncementJson[]): string {
  const rows = announcements.map((announcement) => [
    announcement.state,
    ...fieldNames.map((name) => {
      const value = announcement[name];
      return value === null ? '' : toPlainText(name, value);
    }),
  ]);
  return [['state', ...fieldNames], ...rows].map((row) => row.map(toCsvField).join(',')).join('\n');
}
