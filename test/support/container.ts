import { spawnSync } from 'node:child_process';

/** Starts a command as a container would: process numbers of its own, the same host name and files. */
export const containerCommand = ['unshare', '--pid', '--fork', '--kill-child', '--mount-proc', '--uts'];

/** Whether this machine lets us do so; Linux as root, as a rule. */
export const canUseContainers = spawnSync('unshare', [...containerCommand.slice(1), 'true']).status === 0;
if (!canUseContainers)
  console.warn('No namespaces can be made here: the tests with containers are left out.');
