import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { ReadStream, WriteStream } from 'node:tty';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createTerminal, type Terminal } from '../../../src/tui/terminal/terminal.ts';

const steps = {
  enter: (terminal: Terminal) => terminal.enter(),
  answer: (terminal: Terminal) => terminal.reportReleases(),
  leave: (terminal: Terminal) => terminal.leave(),
};

/** All that a terminal gets to see, in order. */
function run(names: readonly (keyof typeof steps)[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'typebadge-terminal-'));
  const file = join(folder, 'output');
  const fd = openSync(file, 'a');
  const output = Object.assign(new PassThrough(), {
    fd,
    columns: 80,
    rows: 24,
    write: (text: string) => writeSync(fd, text) > 0,
  });
  const input = { setRawMode: () => input };
  const terminal = createTerminal(
    input as unknown as ReadStream,
    output as unknown as WriteStream & { readonly fd: number },
  );
  for (const name of names) steps[name](terminal);
  closeSync(fd);
  const written = readFileSync(file, 'latin1');
  rmSync(folder, { recursive: true });
  return written;
}

test('key releases are requested on the alternate screen, after an answer, and only while the terminal is ours', () => {
  const names = fc.array(fc.constantFrom('enter', 'answer', 'leave' as const), { maxLength: 12 });
  fc.assert(
    fc.property(names, (some) => {
      const written = run([...some, 'leave']);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: sequences are what is looked for
      const marks = written.match(/\x1b\[(?:\?1049h|>31u|<u|\?1049l)/g) ?? [];
      expect(marks.join('').replaceAll('\x1b[', ' ')).toMatch(/^(?: \?1049h(?: >31u <u)? \?1049l)*$/);
      if (!some.includes('answer')) expect(marks).not.toContain('\x1b[>31u');
    }),
    { numRuns: 50 },
  );
});

test('a terminal that has answered once is asked to report them at each new start', () => {
  expect(run(['enter', 'answer', 'answer', 'leave', 'enter', 'leave']).split('\x1b[>31u')).toHaveLength(3);
});
