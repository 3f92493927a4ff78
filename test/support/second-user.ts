import { spawnSync } from 'node:child_process';

/** A user that is neither root nor the owner of anything: `nobody` on most systems. */
export const secondUser = 65_534;

/** Starts a command as that user. */
export const secondUserCommand = [
  'setpriv',
  `--reuid=${secondUser}`,
  `--regid=${secondUser}`,
  '--clear-groups',
];

/** Whether this machine lets us do so, and that user can read this repository. */
export const canBeSecondUser =
  spawnSync('setpriv', [...secondUserCommand.slice(1), process.execPath, '-e', 'require("./package.json")'])
    .status === 0;
if (!canBeSecondUser) console.warn('Not root here: the tests with a second user are left out.');
