import { readdirSync, readlinkSync } from 'node:fs';

/** The files below a folder that this process has open, where the system tells (`/proc`). */
export function openFilesIn(dir: string): string[] {
  return readdirSync('/proc/self/fd').flatMap((fd) => {
    try {
      return [readlinkSync(`/proc/self/fd/${fd}`)].filter((path) => path.startsWith(dir));
    } catch {
      return [];
    }
  });
}
