// `typebadge play` and gtypist, each driven in a pseudo-terminal by a typist who knows when each key was sent.
import { spawnSync } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packageFile } from '../../src/kit/package-files.ts';
import { newCleanEnvironment } from './clean-environment.ts';
import type { Pty, TypedKeys } from './pty.ts';
import { type RecordingProxy, startRecordingProxy } from './recording-proxy.ts';
import { readMemory } from './serving.ts';

export interface Setting {
  readonly name: string;
  readonly columns: number;
  readonly rows: number;
  readonly wpm: number;
  /** Network delay to the server, ms. */
  readonly delay: number;
  /** Flags of `play`, such as its mode. Default: thirty words. */
  readonly flags?: readonly string[];
}

/** A mode with a longer text is typed so far. */
const mostWords = 30;

/** One round, or as much text in another program. */
export interface PlayedRound {
  /** Ms from a key to the first byte that it draws. */
  readonly latencies: readonly number[];
  /** Ms between the recorded and the sent intervals. */
  readonly errors: readonly number[];
  readonly bytes: readonly number[];
  /** Seconds of processor time, and for how many keys. */
  readonly cpu: number;
  readonly keys: number;
}

const program = [process.execPath, packageFile('bin', 'typebadge.js'), 'play'];

function toEnv(home: string): Record<string, string> {
  return { TERM: 'xterm-256color', LANG: 'C.UTF-8', XDG_DATA_HOME: home, XDG_CONFIG_HOME: home };
}

/** Key times of a person: around the mean, never regular. The same for every run. */
function toIntervals(count: number, wpm: number): number[] {
  const mean = 60 / (wpm * 5);
  let state = 12345;
  return Array.from({ length: count }, () => {
    state = (state * 1103515245 + 12345) & 0x7fffffff;
    return mean * (0.6 + (0.8 * state) / 0x7fffffff);
  });
}

export async function playRound(
  pty: Pty,
  setting: Setting,
  server: string,
  home: string,
): Promise<PlayedRound> {
  const proxy = await startRecordingProxy(server, setting.delay);
  // A longer text is left in the middle: the next start with the same folders would ask whether to go on with it.
  const own = setting.flags === undefined ? home : await mkdtemp(join(home, 'mode-'));
  await startPlay(pty, setting, proxy, own);
  const words = proxy.words.slice(0, mostWords);
  const keys = [...words.map((word) => `${word} `).join('')];
  const before = await pty.cpu();
  const typed = await pty.type(keys, toIntervals(keys.length, setting.wpm));
  const cpu = (await pty.cpu()) - before;
  await waitFor(() => proxy.inputs.length === keys.length);
  const result = { ...compare(typed), errors: toErrors(typed, proxy), cpu, keys: keys.length };
  await pty.stop();
  proxy.close();
  return result;
}

async function startPlay(
  pty: Pty,
  { columns, rows, flags = ['--words', '30'] }: Pick<Setting, 'columns' | 'rows' | 'flags'>,
  proxy: RecordingProxy,
  home: string,
): Promise<void> {
  const command = [...program, '--server', proxy.url, ...flags];
  await pty.start({ command, columns, rows, env: toEnv(home) });
  const limit = performance.now() + 20_000;
  while (proxy.words.length === 0) {
    if (performance.now() > limit) throw new Error(`play ${flags.join(' ')} never asked for words.`);
    await pty.wait(0.1, 1);
  }
  await pty.wait(1, 10); // until nothing is drawn any more
}

/** Latency and bytes of each key, from its own time to that of the next. The last key shows the results: left out. */
function compare({ sent, read }: TypedKeys): { latencies: number[]; bytes: number[] } {
  const latencies: number[] = [];
  const bytes: number[] = [];
  for (const [at, [time]] of sent.slice(0, -1).entries()) {
    const until = sent[at + 1]?.[0] ?? Number.POSITIVE_INFINITY;
    const own = read.filter(([when]) => when >= time && when < until);
    const [first] = own;
    if (first !== undefined) latencies.push((first[0] - time) * 1000);
    bytes.push(own.reduce((sum, [, size]) => sum + size, 0));
  }
  return { latencies, bytes };
}

/** A typist who was interrupted while writing does not know when the key was sent. */
const surest = 0.0005;

/** Ms between each interval that the server was told and the one between the two writes. */
function toErrors({ sent }: TypedKeys, { inputs }: RecordingProxy): number[] {
  return inputs.flatMap((input, at) => {
    const seek = input.type === 'backspace' ? 0 : (input.seek_time_ms ?? 0);
    const [before, after] = [sent[at - 1], sent[at]];
    if (seek === 0 || before === undefined || after === undefined) return [];
    const isSure = before[1] - before[0] < surest && after[1] - after[0] < surest;
    return isSure ? [Math.abs(seek - (after[0] - before[0]) * 1000)] : [];
  });
}

async function waitFor(isTrue: () => boolean): Promise<void> {
  const limit = performance.now() + 30_000;
  while (!isTrue()) {
    if (performance.now() > limit) throw new Error('The server never got all keys.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** 1,000 keys, as many as any round takes, as fast as the terminal takes them: slips and corrections before each right word. */
export async function playBurst(pty: Pty, server: string, home: string): Promise<string> {
  const proxy = await startRecordingProxy(server, 0);
  await startPlay(pty, { columns: 80, rows: 24 }, proxy, home);
  const words = proxy.words;
  const room = 1000 - words.join(' ').length - 1;
  const slips = Array.from({ length: Math.floor(room / 2) }, (_, at) => String.fromCharCode(97 + (at % 26)));
  const perWord = Math.ceil(slips.length / words.length);
  const keys = words
    .map(
      (word, at) =>
        `${slips
          .slice(at * perWord, (at + 1) * perWord)
          .map((slip) => `${slip}\x7f`)
          .join('')}${word} `,
    )
    .join('');
  const begun = performance.now();
  await pty.burst(keys);
  await waitFor(() => proxy.inputs.length >= keys.length);
  const elapsed = performance.now() - begun;
  const arrived = proxy.inputs.map((input) =>
    input.type === 'keystroke' ? input.char : input.type === 'space' ? ' ' : '\x7f',
  );
  const isSame = arrived.join('') === keys;
  await pty.stop();
  proxy.close();
  return `${keys.length} keys at once, on the server after ${elapsed.toFixed(0)} ms: ${isSame ? 'all of them, in order' : 'KEYS WERE LOST'}`;
}

/** Ms from the start of the program to the first words. */
export async function timeStart(pty: Pty, server: string, home: string): Promise<number> {
  const proxy = await startRecordingProxy(server, 0);
  const begun = performance.now();
  await pty.start({ command: [...program, '--server', proxy.url], columns: 80, rows: 24, env: toEnv(home) });
  while (!(await pty.wait(0.005, 0.02)).includes('word 1 of 30')) {
    if (performance.now() - begun > 20_000) throw new Error('There never was a word.');
  }
  const elapsed = performance.now() - begun;
  await pty.stop();
  proxy.close();
  return elapsed;
}

/** Ms from the start of the program to the first words, when no server runs that it could ask. */
export async function timeFirstWords(pty: Pty, home: string): Promise<number> {
  const begun = performance.now();
  await startAlone(pty, home, begun);
  const elapsed = performance.now() - begun;
  await pty.stop();
  return elapsed;
}

/** What `play` takes with a server of its own inside: MB resident, and ms of processor time a second while nobody types. */
export async function weighPlay(pty: Pty, home: string): Promise<{ memory: number; idle: number }> {
  const pid = await startAlone(pty, home, performance.now());
  await pty.wait(2, 10); // until nothing is drawn any more
  const before = await pty.cpu();
  const seconds = 20;
  await new Promise((resolve) => setTimeout(resolve, seconds * 1000));
  const idle = (((await pty.cpu()) - before) / seconds) * 1000;
  const memory = readMemory(pid) / 2 ** 20;
  await pty.stop();
  return { memory, idle };
}

/** Starts `play` in a clean environment and resolves to its process id when its first words are there. */
async function startAlone(pty: Pty, home: string, begun: number): Promise<number> {
  const env = Object.entries(newCleanEnvironment(home)).map(([name, value]) => `${name}=${value}`);
  const { pid } = await pty.start({
    command: ['env', '-i', ...env, ...program],
    columns: 80,
    rows: 24,
    env: {},
  });
  while (!(await pty.wait(0.005, 0.02)).includes('word 1 of 30'))
    if (performance.now() - begun > 20_000) throw new Error('There never was a word.');
  return pid;
}

/** The same keys in gtypist, a typing program on ncurses: what a key costs there. */
export async function playGtypist(pty: Pty, home: string): Promise<PlayedRound | undefined> {
  if (spawnSync('gtypist', ['--version']).status !== 0) return undefined;
  const line = 'pairs my cluster lobster cricket prefer talks window garden simple';
  const lines = Array.from({ length: 3 }, () => line);
  const script = join(home, 'speed.typ');
  await writeFile(script, `*:START\nS:${lines.join('\n :')}\nX:\n`);
  const env = { ...toEnv(home), HOME: home };
  await pty.start({ command: ['gtypist', '-q', '-w', script], columns: 80, rows: 24, env });
  await pty.wait(0.5, 5);
  const keys = [...`${lines.join('\n')}`];
  const before = await pty.cpu();
  const typed = await pty.type(keys, toIntervals(keys.length, 150));
  const cpu = (await pty.cpu()) - before;
  await pty.stop();
  return { ...compare(typed), errors: [], cpu, keys: keys.length };
}
