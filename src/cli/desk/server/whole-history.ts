import type { HistoryFile } from '../../../announcements/announcement.ts';
import {
  type AnnouncementList,
  AnnouncementListSchema,
  type ChangeLog,
  ChangeLogSchema,
} from '../../../contract/desk-types.ts';
import { RefusedError } from '../../program/command-errors.ts';
import type { SeenHistory } from '../port/desk.ts';
import type { DeskClient } from './desk-client.ts';
import { readPages } from './listed-pages.ts';

/** How often everything is read again because somebody changed it meanwhile. */
const mostTurns = 5;

export interface WholeHistory extends SeenHistory {
  readonly revision: string;
  /** Name of the token. */
  readonly editor: string;
  /** The server's clock, epoch milliseconds; undefined where it does not say. */
  readonly date: number | undefined;
}

/** Everything that a server knows of announcements, page by page, all of one revision. */
export async function readWholeHistory(client: DeskClient): Promise<WholeHistory> {
  for (let turn = 0; turn < mostTurns; turn += 1) {
    const lists = await readPages<AnnouncementList>(
      client,
      '/announcements',
      'announcements',
      AnnouncementListSchema,
    );
    const logs = await readPages<ChangeLog>(client, '/announcements/changes', 'changes', ChangeLogSchema);
    const tags = new Set([...lists, ...logs].map(({ etag }) => etag));
    const [revision] = tags;
    if (tags.size > 1 || revision === undefined) continue;
    const announcements = lists.flatMap(({ value }) => value.announcements).reverse();
    const changes = logs.flatMap(({ value }) => value.changes).reverse();
    const history: HistoryFile = {
      version: 1,
      announcements: announcements.map(({ state: _, ...entry }) => entry),
      changes: changes.map(({ number: _, undoneBy: __, undoes, ...change }) => ({
        ...change,
        ...(undoes === null ? {} : { undoes }),
      })),
    };
    return { history, revision, editor: lists[0]?.value.editor ?? '', date: lists[0]?.date };
  }
  throw new RefusedError('the announcements are changing too quickly; try again');
}
