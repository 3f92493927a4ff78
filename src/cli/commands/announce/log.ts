import { numberedChanges } from '../../../announcements/changes/change-log.ts';
import { zoneOf } from '../../desk/content-access.ts';
import { type DeskOptions, openDesk } from '../../desk/open-desk.ts';
import { changeHeader, toChangeLines } from '../../display/change-lines.ts';
import { warnOfPlace } from '../../display/desk-place.ts';
import { RefusedError } from '../../program/command-errors.ts';
import type { CommandIo } from '../../program/command-io.ts';
import { parseLimit } from '../../program/subcommand.ts';
import type { Report } from '../../program/report.ts';

export interface LogOptions extends DeskOptions {
  readonly limit?: string;
  readonly zone?: string;
}

/** Who changed what when, the latest first; of one announcement where an id is given. */
export async function readLog(id: string | undefined, options: LogOptions, io: CommandIo): Promise<Report> {
  const limit = parseLimit(options.limit);
  const zone = zoneOf(options, io);
  const { place, read } = await openDesk(options, io);
  const { announcements, changes } = (await read()).history;
  const all = numberedChanges(changes)
    .filter((change) => id === undefined || change.id === id)
    .reverse();
  // One that was written into the file by hand has no changes.
  if (id !== undefined && all.length === 0 && !announcements.some((entry) => entry.id === id))
    throw new RefusedError(`there is no announcement ${id}; typebadge announce list shows all there are`);
  const shown = all.slice(0, limit);
  return {
    value: { changes: shown, total: all.length },
    warnings: warnOfPlace(place),
    toText: (paint, columns) => {
      if (shown.length === 0)
        return id === undefined
          ? 'Nothing has been changed yet.'
          : `Nothing about ${id} has been changed yet.`;
      const rest = all.length - shown.length;
      return [
        ...changeHeader(columns).map(paint.dim),
        ...shown.flatMap((change) => toChangeLines(change, zone, paint, columns)),
        ...(rest > 0 ? ['', paint.dim(`${rest} earlier: --limit ${all.length} shows all.`)] : []),
        '',
        paint.dim(`Times are in ${zone}. typebadge announce undo NUMBER undoes a change.`),
      ].join('\n');
    },
  };
}
