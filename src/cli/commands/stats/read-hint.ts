import { toVisible } from '../../../kit/visible-text.ts';
import { type Folders, readProfileNames } from '../../../tui/record/folders.ts';

/** For a record without rounds: which folder was read, and how to name the one that was meant. */
export function toReadHint({ data: read }: Folders, { data }: { readonly data?: string }): string {
  const profiles = readProfileNames(data);
  const known = profiles.length === 0 ? '' : ` (there are: ${profiles.join(', ')})`;
  return `Rounds were looked for in ${toVisible(read)}: --data names another folder, --profile a profile${known}.`;
}
