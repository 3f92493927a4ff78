import { createFileWatch } from '../../kit/file-watch.ts';
import type { Log } from '../settings/log.ts';
import { toProblemSentence } from '../stores/files/content/content-error.ts';
import { readText } from '../stores/files/content/content-store.ts';
import type { FileProblem } from '../stores/files/content/json-lines.ts';

export interface LiveFileOptions<T> {
  readonly path: string;
  /** The text to parse where there is no file; undefined: then the file is needed. */
  readonly missing?: string;
  readonly parse: (text: string) => { readonly value: T } | { readonly problems: readonly FileProblem[] };
  readonly log: Log;
}

/** What a file says: the last whole and valid version of it. */
export interface LiveFile<T> {
  value(): T;
  /** Why the file as it is on disk is not the one in use; undefined as a rule. */
  problem(): string | undefined;
  /** Looks whether the file changed and reads it then, or in any case where `isAsked`. Resolves to whether there is a new value. */
  look(isAsked?: boolean): Promise<boolean>;
}

/** Throws where the file cannot be read at the start; later on the problem is logged, and the version read before stays in use. */
export async function openLiveFile<T>(options: LiveFileOptions<T>): Promise<LiveFile<T>> {
  const { path, log } = options;
  const watch = await createFileWatch([path]);
  let value = await readValue(options);
  let problem: string | undefined;

  const readAgain = async () => {
    try {
      value = await readValue(options);
      problem = undefined;
      log.info('content read again', { file: path });
      return true;
    } catch (error) {
      problem = (error as Error).message;
      log.error(`${problem}; the version read before stays in use`, { file: path });
      return false;
    }
  };

  return {
    value: () => value,
    problem: () => problem,
    look: async (isAsked = false) => ((await watch.hasChanged()) || isAsked ? readAgain() : false),
  };
}

async function readValue<T>({ path, missing, parse }: LiveFileOptions<T>): Promise<T> {
  const text = (await readText(path)) ?? missing;
  if (text === undefined) throw new Error(`there is no file ${path}`);
  const result = parse(text);
  if ('problems' in result) throw new Error(toProblemSentence(path, result.problems));
  return result.value;
}
