import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { type Done, type HereOptions, runHere } from '../support/typebadge-here.ts';

/** A command line as in a shell: blanks between words, and quotes around a word with blanks. */
export function words(line: string): string[] {
  return [...line.matchAll(/(?:[^\s"']|"[^"]*"|'[^']*')+/g)].map(([word]) => word.replaceAll(/["']/g, ''));
}

// biome-ignore lint/suspicious/noExplicitAny: what was printed or written, which the tests compare
type Parsed = any;

export interface CommandLine {
  /** Holds the content; made and removed by itself. */
  readonly dir: string;
  /** Of every command; a test may add to it. */
  readonly env: Record<string, string>;
  /** Runs a command line in this process, in that folder. */
  run(line: string | readonly string[], options?: HereOptions): Promise<Done>;
  /** The same with `--json`. */
  json(line: string | readonly string[], options?: HereOptions): Promise<{ code: number; value: Parsed }>;
  write(name: string, content: unknown): Promise<void>;
  read(name: string): Promise<Parsed>;
}

/**
 * A content folder for each test of the file, or for all of them, and the program with that content, whose user is ada.
 *
 * @param files of the folder, JSON or text, by name
 */
export function newCommandLine(
  files: Readonly<Record<string, unknown>> = {},
  { forAll = false }: { readonly forAll?: boolean } = {},
): CommandLine {
  const state = { dir: '', env: {} as Record<string, string> };
  const write = (name: string, content: unknown) =>
    writeFile(join(state.dir, name), typeof content === 'string' ? content : JSON.stringify(content));
  (forAll ? beforeAll : beforeEach)(async () => {
    state.dir = await mkdtemp(join(tmpdir(), 'typebadge-cli-'));
    state.env = {
      ...{ TYPEBADGE_CONTENT: state.dir, TYPEBADGE_DATA: join(state.dir, 'data') },
      ...{ TYPEBADGE_EDITOR: 'ada', TZ: 'UTC' },
    };
    for (const [name, content] of Object.entries(files)) await write(name, content);
  });
  (forAll ? afterAll : afterEach)(() => rm(state.dir, { recursive: true, force: true }));
  const run: CommandLine['run'] = (line, { env, ...options } = {}) =>
    runHere(typeof line === 'string' ? words(line) : line, {
      ...{ cwd: state.dir, ...options, env: { ...state.env, ...env } },
    });
  return {
    get dir() {
      return state.dir;
    },
    get env() {
      return state.env;
    },
    run,
    async json(line, options) {
      const args = typeof line === 'string' ? words(line) : line;
      const { code, stdout } = await run([...args, '--json'], options);
      return { code, value: JSON.parse(stdout) };
    },
    write,
    read: async (name) => JSON.parse(await readFile(join(state.dir, name), 'utf8')),
  };
}
