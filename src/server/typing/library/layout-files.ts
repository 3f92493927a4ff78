import { readdirSync, readFileSync } from 'node:fs';
import { packageFile } from '../../../kit/package-files.ts';
import type { Layout } from '../../../typing/letters/layout.ts';

const compactFile = 'more.json';

/** Many layouts in one file: rows as texts, and the same fingers for all, by row and column. */
interface CompactLayouts {
  readonly fingers: readonly string[];
  readonly layouts: readonly {
    readonly id: string;
    readonly name: string;
    readonly rows: readonly string[];
  }[];
}

/** QWERTY first, then the other layouts with their own file, then the rest by name. */
export function readLayouts(): Layout[] {
  const own = readdirSync(packageFile('content', 'layouts'))
    .filter((name) => name.endsWith('.json') && name !== compactFile)
    .map((name) => readJson<Layout>(name))
    .sort((a, b) => Number(b.id === 'qwerty') - Number(a.id === 'qwerty') || a.id.localeCompare(b.id));
  const { fingers, layouts } = readJson<CompactLayouts>(compactFile);
  const taken = new Set(own.map(({ id }) => id));
  return [...own, ...layouts.filter(({ id }) => !taken.has(id)).map((layout) => toLayout(layout, fingers))];
}

/** A blank in a row is a key that types nothing on its own. */
function toLayout({ id, name, rows }: CompactLayouts['layouts'][number], fingers: readonly string[]): Layout {
  const map: Record<string, number> = {};
  for (const [row, keys] of rows.entries()) {
    for (const [column, key] of [...keys].entries()) {
      if (key !== ' ') map[key] ??= Number(fingers[row]?.[column] ?? 9);
    }
  }
  return { id, name, rows: rows.map((keys) => [...keys].filter((key) => key !== ' ')), fingers: map };
}

function readJson<T>(name: string): T {
  return JSON.parse(readFileSync(packageFile('content', 'layouts', name), 'utf8')) as T;
}
