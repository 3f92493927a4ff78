import type { ListenAddress } from './config.ts';

/** Why nobody can listen at an address, and what to do, as a sentence. */
export function listenProblem(
  { code, message }: NodeJS.ErrnoException,
  { host, port }: ListenAddress,
): string {
  switch (code) {
    case 'EADDRINUSE':
      return `port ${port} on ${host} is in use: stop the other program, or choose another with --port (0 takes a free one).`;
    case 'EACCES':
      return `port ${port} needs rights that this user lacks: choose one above 1023 with --port.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `${host} is not an address of this machine: choose another with --host.`;
    default:
      return `the server cannot listen on ${host}:${port} (${code ?? message}).`;
  }
}

/** The same of the address of the metrics. */
export function metricsProblem(
  { code, message }: NodeJS.ErrnoException,
  { host, port }: ListenAddress,
): string {
  return `the metrics cannot be served at ${host}:${port} (${code ?? message}): choose another --metrics.`;
}
