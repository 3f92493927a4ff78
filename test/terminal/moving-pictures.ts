// Makes the moving pictures of the documents from real rounds in a real terminal:
//
//   node build.mjs && npx tsx test/terminal/moving-pictures.ts
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import xterm from '@xterm/headless';
import { packageRoot } from '../../src/kit/package-files.ts';
import { openTerminal, type Terminal } from './tmux.ts';

const [columns, rows] = [80, 24];
/** Of a character, px. */
const [width, height] = [9, 18];
/** Above the first row and below the last one. */
const margin = 8;
/** Ms between two keys, and for which the results are seen. */
const [pause, lastPause] = [170, 4000];
/** A slip of the finger in this word, which is corrected. */
const slipAt = 2;
const maxBytes = 300_000;

interface Frame {
  readonly at: number;
  readonly lines: readonly string[];
}

const pictures = {
  'play.svg': { command: 'play --words 10 --theme dusk', maxWords: 10 },
  'play-folder.svg': { command: 'play . --file src/typing/choice --theme dusk', maxWords: 14 },
};
/** Types the first words of a round; what is seen after each key is a frame. */
async function recordRound(command: string, maxWords: number): Promise<Frame[]> {
  const folder = mkdtempSync(join(tmpdir(), 'typebadge-picture-'));
  const env = { XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const terminal = await openTerminal({ columns, rows, env });
  const frames: Frame[] = [];
  let at = 0;
  const keep = async (ms: number) => {
    await sleep(pause - 50 + 60 * Math.random()); // the picture follows the key
    frames.push({ at, lines: (await terminal.screen({ colours: true })).split('\n').slice(0, rows) });
    at += ms;
  };
  try {
    await terminal.type(`cd ${packageRoot} && ${process.execPath} bin/typebadge.js ${command}\n`);
    await terminal.see('word 1 of');
    await keep(1500);
    for (const key of keysOf(wordsUnderWay(folder).slice(0, maxWords))) {
      await press(terminal, key);
      await keep(pause);
    }
    await keep(lastPause);
    return frames;
  } finally {
    await terminal.close();
    rmSync(folder, { recursive: true });
  }
}

function wordsUnderWay(folder: string): string[] {
  const unsent = join(folder, 'typebadge', 'typist', 'unsent');
  const [head = '{}'] = readFileSync(join(unsent, readdirSync(unsent)[0] ?? ''), 'utf8').split('\n');
  return (JSON.parse(head) as { words: string[] }).words;
}

function keysOf(words: readonly string[]): string[] {
  return words.flatMap((word, at) => {
    const keys = at === slipAt ? [word[0] ?? '', 'x', 'BSpace', ...word.slice(1)] : [...word];
    return [...keys, 'Space'];
  });
}

async function press(terminal: Terminal, key: string): Promise<void> {
  await (key.length > 1 ? terminal.press(key) : terminal.type(key === ';' ? '\\;' : key));
}

/** Each row is drawn once for each of its states, and seen while it is in that state. */
async function drawFrames(title: string, frames: readonly Frame[]): Promise<string> {
  const end = (frames.at(-1)?.at ?? 0) + lastPause;
  const states: string[] = [];
  for (let row = 0; row < rows; row += 1) {
    const spans = new Map<string, string[]>();
    for (let from = 0; from < frames.length; ) {
      const line = frames[from]?.lines[row] ?? '';
      let to = from + 1;
      while (to < frames.length && (frames[to]?.lines[row] ?? '') === line) to += 1;
      const [begin, done] = [frames[from]?.at ?? 0, frames[to]?.at ?? end];
      const set = `<set attributeName="visibility" to="visible" begin="a.begin+${begin}ms" dur="${done - begin}ms"/>`;
      spans.set(line, [...(spans.get(line) ?? []), set]);
      from = to;
    }
    for (const [line, sets] of spans) {
      const drawn = drawLine(await cellsOf(line), row);
      if (drawn !== '') states.push(`<g visibility="hidden">${sets.join('')}${drawn}</g>`);
    }
  }
  const size = `width="${columns * width}" height="${rows * height + 2 * margin}"`;
  return `<svg xmlns="http://www.w3.org/2000/svg" ${size} viewBox="0 ${-margin} ${columns * width} ${rows * height + 2 * margin}" font-family="ui-monospace,Menlo,Consolas,monospace" font-size="15" fill="#d7d7d7"><title>${title}</title><rect y="${-margin}" ${size} rx="6" fill="#1c1c24"><animate id="a" attributeName="opacity" values="1;1" begin="0s;a.end" dur="${end}ms"/></rect>${states.join('')}</svg>\n`;
}

interface Cell {
  readonly text: string;
  readonly fill: string;
  readonly ground: string;
  readonly bold: boolean;
  readonly underline: boolean;
}

const [usualFill, usualGround] = ['#d7d7d7', ''];

function drawLine(cells: readonly Cell[], row: number): string {
  let drawn = '';
  for (let from = 0; from < cells.length; ) {
    const cell = cells[from] as Cell;
    const isSame = (other: Cell | undefined) =>
      other !== undefined &&
      isBlock(other.text) === isBlock(cell.text) &&
      styleOf(other) === styleOf(cell) &&
      (!isBlock(cell.text) || other.text === cell.text);
    let to = from + 1;
    while (isSame(cells[to])) to += 1;
    drawn += drawRun(
      cell,
      cells
        .slice(from, to)
        .map(({ text }) => text)
        .join(''),
      from,
      row,
    );
    from = to;
  }
  return drawn;
}

function styleOf({ fill, ground, bold, underline }: Cell): string {
  return [fill, ground, bold, underline].join();
}

function isBlock(text: string): boolean {
  return '█▀▄▁▂▃▅▆▇'.includes(text);
}

function drawRun({ fill, ground, bold, underline }: Cell, text: string, column: number, row: number): string {
  const [x, y, length] = [column * width, row * height, text.length * width];
  const box = (top: number, share: number, colour: string) =>
    `<rect x="${x}" y="${y + top * height}" width="${length}" height="${share * height}" fill="${colour}"/>`;
  const back = ground === usualGround ? '' : box(0, 1, ground);
  if (isBlock(text[0] ?? '')) {
    const share =
      { '█': 1, '▀': 0.5, '▄': 0.5 }[text[0] ?? ''] ?? ('▁▂▃▄▅▆▇█'.indexOf(text[0] ?? '') + 1) / 8;
    return back + box(text.startsWith('▀') ? 0 : 1 - share, share, fill);
  }
  if (text.trim() === '') return back;
  const style = `${fill === usualFill ? '' : ` fill="${fill}"`}${bold ? ' font-weight="bold"' : ''}${underline ? ' text-decoration="underline"' : ''}`;
  const shown = text.replace(/[&<>]/g, (sign) => ({ '&': '&amp;', '<': '&lt;', '>': '&gt;' })[sign] ?? '');
  return `${back}<text x="${x}" y="${y + 14}" textLength="${length}" xml:space="preserve"${style}>${shown}</text>`;
}

/** The characters of a row that tmux has drawn, each with its style. */
async function cellsOf(line: string): Promise<Cell[]> {
  const screen = new xterm.Terminal({ cols: columns, rows: 1, allowProposedApi: true });
  await new Promise<void>((done) => screen.write(line, done));
  const row = screen.buffer.active.getLine(0);
  return [...(row?.translateToString(true) ?? '')].flatMap((text, at) => {
    const cell = row?.getCell(at);
    if (cell === undefined) return [];
    const colour = cell.isFgDefault() ? usualFill : colourOf(cell.getFgColor());
    const fill = cell.isDim() ? '#87878f' : colour;
    const ground = cell.isBgDefault() ? usualGround : colourOf(cell.getBgColor());
    const [front, back] = cell.isInverse() ? ['#1c1c24', fill] : [fill, ground];
    const [bold, underline] = [cell.isBold() !== 0, cell.isUnderline() !== 0];
    return [{ text, fill: front, ground: back, bold, underline }];
  });
}

/** Of the cube of 256 colours. */
function colourOf(number: number): string {
  const steps = [0, 95, 135, 175, 215, 255];
  const at = number - 16;
  const parts = [Math.floor(at / 36), Math.floor(at / 6) % 6, at % 6].map((step) => steps[step] ?? 0);
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`;
}

for (const [name, { command, maxWords }] of Object.entries(pictures)) {
  const svg = await drawFrames(`typebadge ${command}`, await recordRound(command, maxWords));
  if (svg.length > maxBytes) throw new Error(`${name} has ${svg.length} bytes, more than ${maxBytes}.`);
  writeFileSync(join(packageRoot, 'docs', 'images', name), svg);
  console.log(`docs/images/${name}: ${svg.length} bytes`);
}
