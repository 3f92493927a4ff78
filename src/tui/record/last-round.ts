import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as v from 'valibot';
import { writeWholeFile } from '../../kit/files/whole-file.ts';
import { toModeName } from '../../typing/modes/mode.ts';
import type { Practised } from '../round/practised.ts';
import { makeOwnFolder } from './folders.ts';

/** Longer texts do not exist. */
const mostMoments = 50_000;

const MomentsSchema = v.pipe(
  v.array(v.pipe(v.number(), v.finite(), v.minValue(0))),
  v.maxLength(mostMoments),
  v.check((moments) => moments.every((moment, at) => moment >= (moments[at - 1] ?? 0))),
);

type RoundKind = Pick<Practised, 'mode' | 'language' | 'layout'>;

/** Keeps the moments of the latest round of its kind, in place of the one before. Derived: it may be deleted. */
export async function saveLastRound(
  folder: string,
  kind: RoundKind,
  moments: readonly number[],
): Promise<void> {
  makeOwnFolder(join(folder, 'last-runs'));
  await writeWholeFile(toPath(folder, kind), JSON.stringify(moments));
}

/** The moments of the latest round of a kind: see `Pacer`. None where there is no such file, or one that cannot be understood. */
export async function readLastRound(folder: string, kind: RoundKind): Promise<readonly number[]> {
  try {
    return v.parse(MomentsSchema, JSON.parse(await readFile(toPath(folder, kind), 'utf8')));
  } catch {
    return [];
  }
}

function toPath(folder: string, { mode, language, layout }: RoundKind): string {
  const name = toModeName(mode.type === 'text' ? { type: 'text', text: '' } : mode);
  return join(folder, 'last-runs', `${[name, language, layout].join('.').replaceAll(/[^\w.-]/g, '_')}.json`);
}
