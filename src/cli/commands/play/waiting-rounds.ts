import { join } from 'node:path';
import { plural } from '../../../kit/terminal-text.ts';
import { visibleText } from '../../../kit/visible-text.ts';
import { flush, type KeptRound, leftRound, readKeptRounds, removeRound } from '../../../tui/link/sync.ts';
import type { FoundServer, LocalServer } from '../../../tui/play.ts';
import type { Folders } from '../../../tui/record/folders.ts';
import { leftPlaceText } from '../../../tui/state/text.ts';
import { shellWord } from '../../program/quoted-words.ts';

/** What is done with rounds that their server does not have yet. */
export type WaitingAction = 'list' | 'deliver' | 'discard';

/** Whose rounds are meant, as the command line names them. */
export interface NamedTypist {
  /** The profile whose rounds these are; undefined for the usual one. */
  readonly profile?: string | undefined;
  /** The data folder that was named; undefined for the usual one. */
  readonly data?: string | undefined;
}

export interface WaitingTypist extends NamedTypist {
  readonly folders: Folders;
}

export interface Servers {
  readonly find: () => Promise<FoundServer | undefined>;
  readonly openLocal: () => Promise<LocalServer>;
}

const noneWaiting = 'No rounds are waiting for a server.';
const noneFinished =
  'No finished round is waiting for a server. The next start goes on with one that was cut off.';

/**
 * Rounds on their way, for instance because the address of their server was mistyped: lists them, hands the finished ones to the server
 * that is found, or forgets them. Finished rounds are in the history of this computer whatever becomes of them here.
 *
 * @returns what was found or done, as lines of text
 */
export async function handleWaiting(
  action: WaitingAction,
  typist: WaitingTypist,
  servers: Servers,
): Promise<string> {
  const folder = join(typist.folders.data, 'unsent');
  const all = readKeptRounds(folder).filter(({ inputs }) => inputs.length > 0);
  const finished = all.filter(({ timing }) => timing !== undefined);
  const cutOff = all.filter(({ timing }) => timing === undefined);
  if (all.length === 0) return noneWaiting;
  if (action === 'list') return waitingList(finished, cutOff, playCommand(typist));
  if (action === 'deliver')
    return finished.length === 0 ? noneFinished : deliver(folder, finished.length, servers);
  return discard(folder, finished, cutOff, servers);
}

function waitingList(finished: readonly KeptRound[], cutOff: readonly KeptRound[], command: string): string {
  const names = [...new Set(finished.map(({ head }) => head.server))];
  const lines = names.map((name) => {
    const rounds = finished.filter(({ head }) => head.server === name);
    return `  ${name === '' ? 'this computer' : visibleText(name)}: ${spanOf(rounds)}`;
  });
  return [
    ...(finished.length === 0
      ? []
      : [
          `${plural(finished.length, 'round')} not delivered yet:`,
          ...lines,
          'They are delivered when you play with that server again.',
          `To deliver them elsewhere: ${command} --waiting deliver --server URL`,
        ]),
    ...(cutOff.length === 0
      ? []
      : [
          `${plural(cutOff.length, 'round')} cut off in the middle:`,
          ...cutOff.map((kept) => `  ${leftPlaceText(leftRound(kept))}, ${dayOf(kept)}`),
          'The next start asks whether to go on.',
        ]),
    `To forget ${finished.length + cutOff.length === 1 ? 'it' : 'them'}: ${command} --waiting discard`,
  ].join('\n');
}

function spanOf(rounds: readonly KeptRound[]): string {
  const days = rounds.map(dayOf);
  const [first = '', last = ''] = [days[0], days.at(-1)];
  return `${plural(rounds.length, 'round')}, ${first === last ? first : `${first} to ${last}`}`;
}

function dayOf({ head }: KeptRound): string {
  return new Date(head.created).toISOString().slice(0, 10);
}

/** Cut-off rounds are in no history, and go only if nothing else is meant. */
async function discard(
  folder: string,
  finished: readonly KeptRound[],
  cutOff: readonly KeptRound[],
  { openLocal }: Servers,
): Promise<string> {
  const local = await openLocal();
  try {
    const { createSessionApi } = await import('../../../tui/link/session.ts');
    const { unsaved } = await flush({ folder, local: createSessionApi(local.call), server: undefined });
    if (unsaved !== '')
      throw new Error(`nothing was discarded: this computer could not save a round (${unsaved}).`);
  } finally {
    await local.close();
  }
  for (const { path } of finished.length > 0 ? finished : cutOff) removeRound(path);
  const left = plural(cutOff.length, 'round');
  if (finished.length === 0) return `${left} cut off in the middle discarded.`;
  const done = `${plural(finished.length, 'round')} discarded: no server gets them. Your own history keeps them.`;
  return cutOff.length === 0
    ? done
    : `${done}\n${left} cut off in the middle kept; the same command again discards ${cutOff.length === 1 ? 'it' : 'them'}.`;
}

async function deliver(folder: string, waiting: number, { find, openLocal }: Servers): Promise<string> {
  const found = await find();
  if (found === undefined) throw new Error('there is no server to deliver to: name one with --server.');
  if (found.away !== '') throw new Error(`${found.away}: nothing was delivered.`);
  const [{ createHttpTransport }, { createSessionApi }] = await Promise.all([
    import('../../../tui/link/http-transport.ts'),
    import('../../../tui/link/session.ts'),
  ]);
  const http = createHttpTransport(found.url, { key: found.key });
  const local = await openLocal();
  try {
    const { delivered } = await flush({
      folder,
      local: createSessionApi(local.call),
      server: { api: createSessionApi(http.call), name: found.url.href },
      isForAll: true,
    });
    const left = waiting - delivered;
    const done = `${plural(delivered, 'round')} delivered to ${visibleText(found.url.href)}`;
    if (left > 0) throw new Error(`${done}, ${plural(left, 'round')} not: the server did not take it all.`);
    return `${done}.`;
  } finally {
    http.close();
    await local.close();
  }
}

/** The command that means the same rounds. */
function playCommand({ profile, data }: NamedTypist): string {
  return [
    'typebadge play',
    ...(profile === undefined ? [] : [`--profile ${profile}`]),
    ...(data === undefined ? [] : [`--data ${shellWord(visibleText(data))}`]),
  ].join(' ');
}
