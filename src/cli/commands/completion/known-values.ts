import { join } from 'node:path';
import { severities } from '../../../announcements/values/severity.ts';
import { profilesFolder, toFolders } from '../../../tui/record/folders.ts';
import type { ListedWords } from '../../completion/command-tree.ts';
import { toShellWord } from '../../output/shell-word.ts';
import { readPracticeValues } from '../../typist/practice-values.ts';
import { usualName } from '../../typist/profile-option.ts';

/**
 * What a shell may offer for options and arguments that do not list their values themselves, by command and option, such as
 * `play --language`, or by command.
 */
export function readKnownValues(): Map<string, readonly string[] | ListedWords> {
  const profiles = profileNames();
  const ofServer = (option: string, ...values: string[]) =>
    ['serve', 'doctor'].map((command) => [`${command} ${option}`, values] as const);
  return new Map<string, readonly string[] | ListedWords>([
    ...readPracticeValues(),
    ...['play', 'stats', 'import'].map((command) => [`${command} --profile`, profiles] as const),
    ...['publish', 'edit'].map((command) => [`announce ${command} --severity`, severities] as const),
    ...takingIds.map((command) => [`announce ${command}`, announcementIds] as const),
    ['announce list --state', ['active', 'scheduled', 'past']],
    ...ofServer('--log', 'pretty', 'json', 'off'),
    ...ofServer('--typing', 'on', 'off'),
    ...ofServer('--workers', 'auto'),
  ]);
}

const takingIds = ['edit', 'expire', 'withdraw', 'show', 'preview', 'log', 'stats'];

/**
 * Those of the folder, store or server that the commands work on. Asked for only when an id is completed, and the pattern keeps out
 * whatever the shell would expand.
 */
const announcementIds: ListedWords = {
  always: [],
  command: `typebadge announce list --csv 2>/dev/null | sed 1d | cut -d, -f2 | grep -E '^[A-Za-z0-9][A-Za-z0-9._-]*$'`,
};

/** Those of the user for whom the script is made. What is named otherwise is left out, because bash would expand it. */
function profileNames(): ListedWords {
  const { config, data } = toFolders();
  const folders = [config, data].map((folder) => toShellWord(join(folder, profilesFolder)));
  return {
    always: [usualName],
    command: `ls -- ${folders.join(' ')} 2>/dev/null | grep -E '^[a-z0-9][a-z0-9_-]*$' | sort -u`,
  };
}
