import { toVisible } from '../../../../kit/visible-text.ts';
import { toLeftRound, type UnsentRound } from '../../../../tui/record/unsent-journal.ts';
import { toCountText } from '../../../../tui/text/figures/figures.ts';
import { toLeftPlace } from '../../../../tui/text/place-text.ts';
import { offlineServer } from '../../../../tui/unsent-rounds.ts';

export const noneWaiting = 'No rounds are waiting for a server.';
export const noneFinished =
  'No finished round is waiting for a server. One that was cut off goes on at the next start with its server.';

/**
 * What no server has yet, and what can be done about it.
 *
 * @param finished rounds to be delivered
 * @param cutOff rounds that were left in the middle
 * @param command how `play` is called for this typist
 */
export function toWaitingList(
  finished: readonly UnsentRound[],
  cutOff: readonly UnsentRound[],
  command: string,
): string {
  const lines = [
    ...(finished.length === 0 ? [] : toFinishedLines(finished, command)),
    ...(cutOff.length === 0 ? [] : toCutOffLines(cutOff)),
    ...(finished.length > 0
      ? []
      : [`To forget ${cutOff.length === 1 ? 'it' : 'them'}: ${command} --waiting discard`]),
  ];
  return finished.length + cutOff.length === 0 ? noneWaiting : lines.join('\n');
}

function toFinishedLines(finished: readonly UnsentRound[], command: string): string[] {
  const servers = [...new Set(finished.map(({ head }) => head.server))];
  const roundsOf = (server: string) => finished.filter(({ head }) => head.server === server);
  return [
    `${toCountText(finished.length, 'round')} not delivered yet:`,
    ...servers.map((server) => `  ${toServerName(server)}: ${toSpan(roundsOf(server))}`),
    'Your own record has them already. They are delivered when you play with that server again.',
    ...(finished.some(isBegun)
      ? ['A round that was started on a server can be delivered only there, and only within a day.']
      : []),
    ...(finished.every(isBegun)
      ? []
      : [`To deliver them elsewhere: ${command} --waiting deliver --server URL`]),
    `To forget them: ${command} --waiting discard`,
  ];
}

function toCutOffLines(cutOff: readonly UnsentRound[]): string[] {
  return [
    `${toCountText(cutOff.length, 'round')} cut off in the middle:`,
    ...cutOff.map((unsent) => {
      const { server, created } = unsent.head;
      const where = isBegun(unsent) ? toServerName(server) : 'with any server or none';
      return `  ${where}: ${toLeftPlace(toLeftRound(unsent))}, ${toDay(created)}`;
    }),
    'The next start with that server asks whether to go on; servers keep such a round for a day.',
  ];
}

/** Whether a server knows the round: one that was made here goes to any. */
function isBegun({ head }: UnsentRound): boolean {
  return head.upload === undefined;
}

export function toServerName(server: string): string {
  if (server === offlineServer) return 'any server on this computer';
  const inside = /^inside (.+)$/s.exec(server)?.[1];
  return inside === undefined
    ? toVisible(server)
    : `the server inside play (its results are in ${toVisible(inside)})`;
}

function toSpan(rounds: readonly UnsentRound[]): string {
  const days = rounds.map(({ head }) => toDay(head.created));
  const [first = '', last = ''] = [days[0], days.at(-1)];
  return `${toCountText(rounds.length, 'round')}, ${first === last ? first : `${first} to ${last}`}`;
}

function toDay(unix: number): string {
  return new Date(unix).toISOString().slice(0, 10);
}
