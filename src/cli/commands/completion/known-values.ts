import { severities } from '../../../announcements/values/severity.ts';
import { readProfileNames } from '../../../tui/record/folders.ts';
import { newProcessIo } from '../../program/command-io.ts';
import { usualName } from '../../typist/profile-option.ts';

const takingIds = ['edit', 'expire', 'withdraw', 'show', 'preview', 'log', 'stats'];
const fixed: Readonly<Record<string, readonly string[]>> = {
  'announce publish --severity': severities,
  'announce edit --severity': severities,
  'announce list --state': ['active', 'scheduled', 'past'],
  ...ofServer('--log', 'pretty', 'json', 'off'),
  ...ofServer('--typing', 'on', 'off'),
  ...ofServer('--desk', 'on', 'off'),
  ...ofServer('--workers', 'auto'),
};

/**
 * What a shell may offer for options and arguments that do not list their values themselves.
 *
 * @param place a command and an option, such as `play --language`, or a command
 * @param given values of the options typed so far, by `--name`
 */
export async function readKnownValues(
  place: string,
  given: ReadonlyMap<string, string>,
): Promise<readonly string[] | undefined> {
  if (Object.hasOwn(fixed, place)) return fixed[place];
  const [command, verb = ''] = place.split(' ');
  if (command === 'announce' && takingIds.includes(verb) && !place.includes('--'))
    return readAnnouncementIds(given);
  if (place.endsWith(' --profile')) return [usualName, ...readProfileNames(given.get('--data'))];
  if (command !== 'play' && command !== 'stats') return undefined;
  const { readPracticeValues } = await import('../../typist/practice-values.ts');
  return readPracticeValues().get(place);
}

/** Those of the folder, store or server that the command will work on; none if it cannot be read. Makes no folder. */
async function readAnnouncementIds(given: ReadonlyMap<string, string>): Promise<string[]> {
  const { listAnnouncements } = await import('../announce/list.ts');
  const [content, server, store, storePrefix] = ['content', 'server', 'store', 'store-prefix'].map((name) =>
    given.get(`--${name}`),
  );
  const named = { content, server, store, storePrefix };
  const place = Object.fromEntries(Object.entries(named).filter(([, value]) => value !== undefined));
  try {
    const { value } = await listAnnouncements({ ...place, all: true }, newProcessIo(), {
      onlyLooks: true,
    });
    const { announcements } = value as { announcements: readonly { id: string }[] };
    // A server elsewhere may send anything: only what no shell reads more into is offered.
    return announcements.map(({ id }) => id).filter((id) => /^[A-Za-z0-9][A-Za-z0-9._-]*$/.test(id));
  } catch {
    return [];
  }
}

function ofServer(option: string, ...values: string[]): Record<string, readonly string[]> {
  return { [`serve ${option}`]: values, [`doctor ${option}`]: values };
}
