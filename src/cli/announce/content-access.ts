import { userInfo } from 'node:os';
import { resolveContentFolder } from '../../server/badge/content-folder.ts';
import { type ContentStore, openContentStore } from '../../server/badge/content-store.ts';
import type { Stamp } from '../../server/badge/history-edit.ts';
import { isZone, readLocalZone } from '../../server/badge/timestamps.ts';
import type { CommandIo } from '../command-io.ts';
import type { ReportOptions } from '../report.ts';
import { UsageError } from '../usage-error.ts';

/** Options of every command on the content. */
export interface ContentOptions extends ReportOptions {
  readonly content?: string;
  readonly verbose?: boolean;
}

/** Options of every command that changes something. */
export interface EditorOptions extends ContentOptions {
  /** Who is to stand in the log. */
  readonly by?: string;
  /** The time zone in which moments are meant and shown. */
  readonly zone?: string;
  readonly dryRun?: boolean;
}

export async function openContent(
  { content, verbose }: ContentOptions,
  io: CommandIo,
): Promise<ContentStore> {
  const { dir, reason } = await resolveContentFolder({ content, env: io.env, cwd: io.cwd });
  if (verbose) io.err.write(`Content folder: ${dir} (${reason})\n`);
  return openContentStore(dir);
}

export function newStamp({ by }: EditorOptions, io: CommandIo): Stamp {
  return { by: parseEditor(by ?? io.env.TYPEBADGE_EDITOR ?? readUserName()), at: io.now() };
}

function parseEditor(text: string): string {
  const name = text.trim();
  if (name === '' || name.length > 100 || /[\p{Cc}\u2028\u2029\p{Surrogate}]/u.test(name)) {
    throw new UsageError(
      'the name given with --by or TYPEBADGE_EDITOR must be 1 to 100 characters on one line',
    );
  }
  return name;
}

function readUserName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'unknown'; // a container may run as a number without a name
  }
}

/** The zone that `--zone` names, else the computer's own. */
export function zoneOf({ zone }: { readonly zone?: string | undefined }, io: CommandIo): string {
  const found = zone ?? readLocalZone();
  if (found === undefined) {
    throw new UsageError(
      `TZ names a time zone that does not exist (${io.env.TZ}); write one like Europe/Berlin, or UTC`,
    );
  }
  if (!isZone(found))
    throw new UsageError(`there is no time zone "${found}"; write one like Europe/Berlin, or UTC`);
  return found;
}
