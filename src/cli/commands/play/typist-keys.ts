import { type Folders, toFolders } from '../../../tui/record/folders.ts';
import { openPlayerKey, readPlayerKey } from '../../../tui/record/player-key.ts';
import { toProfile } from '../../typist/profile-option.ts';

/** Whose rounds are typed: where they are kept, and by what key a server knows the typist. */
export interface Typist {
  readonly folders: Folders;
  /** The key of the profile, made where there is none yet. */
  readonly ownKey: () => Promise<string>;
  /** The key that the user names. */
  readonly givenKey: string | undefined;
  /** The key that every server gets; undefined: only those that need one get `ownKey`. */
  readSentKey(): Promise<string | undefined>;
}

export interface TypistFlags {
  readonly data?: string;
  readonly keyFile?: string;
  readonly profile?: string;
}

export async function openTypist({ data, keyFile, profile: name }: TypistFlags): Promise<Typist> {
  const profile = toProfile(name);
  const folders = toFolders(data, profile);
  const ownKey = () => openPlayerKey(folders.config);
  const givenKey = keyFile === undefined ? undefined : await readPlayerKey(keyFile);
  // Without a key all profiles would be one player for a server on this machine.
  const readSentKey = async () => givenKey ?? (profile === undefined ? undefined : await ownKey());
  return { folders, ownKey, givenKey, readSentKey };
}
