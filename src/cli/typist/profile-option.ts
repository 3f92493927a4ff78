import { InvalidArgumentError, Option } from 'commander';
import {
  type Folders,
  hasProfile,
  isProfileName,
  readProfileNames,
  typistFolders,
} from '../../tui/record/folders.ts';

/** The name of the default profile, for use when the environment names another one. */
export const defaultProfile = 'default';

/** `--profile`, or TYPEBADGE_PROFILE. */
export function profileOption(about: string): Option {
  return new Option('--profile <name>', about).env('TYPEBADGE_PROFILE').argParser(parseProfile);
}

function parseProfile(name: string): string {
  if (name === '' || isProfileName(name)) return name;
  throw new InvalidArgumentError(
    'A profile has up to 32 lower-case letters, digits, "-" and "_", such as "work" (not a device name such as "con").',
  );
}

/** The name of a profile in its folders; undefined for the default one. */
export function parseProfileName(name: string | undefined): string | undefined {
  return name === '' || name === defaultProfile ? undefined : name;
}

/** The folders of an existing profile. Throws if there is none, so that a typo is not an empty history. */
export function findFolders(data: string | undefined, name: string | undefined): Folders {
  const profile = parseProfileName(name);
  const folders = typistFolders(data, profile);
  if (profile === undefined || hasProfile(folders)) return folders;
  const known = readProfileNames(data);
  const others = known.length === 0 ? 'there is none yet' : `there are: ${known.join(', ')}`;
  throw new Error(
    `no profile is called "${profile}" (${others}). "typebadge play --profile ${profile}" makes one.`,
  );
}
