// Round with no terminal on its standard input, where no thread can read one: prints what came of two writes and an end.
import { PassThrough } from 'node:stream';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import type { ReadStream } from 'node:tty';
import { startKeySource } from '../../../src/tui/input/key-source.ts';
import type { Reading } from '../../../src/tui/input/key-timing.ts';
import { readClock } from '../../../src/tui/input/stall-watch.ts';

const stdin = new PassThrough();
const readings: Reading[] = [];
let isGone = false;
const source = await startKeySource(stdin as unknown as ReadStream & { readonly fd: number }, {
  onReading: (reading) => readings.push(reading),
  onStall() {},
  onGone() {
    isGone = true;
  },
});
const times = [readClock()];
stdin.write('a');
await turn();
stdin.write('bc');
await turn();
times.push(...readings.map(({ time }) => time));
stdin.end();
while (!isGone) await sleep(1);
await source.stop();
const texts = readings.map(({ bytes }) => Buffer.from(bytes).toString());
process.stdout.write(JSON.stringify({ isOffThread: source.isOffThread, texts, times }));
