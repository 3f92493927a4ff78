import { expect, test } from 'vitest';
import { createLog } from '../../../../../src/server/settings/log.ts';
import { warnIn } from '../../../../../src/server/stores/files/rounds/journal-warnings.ts';

test('the operator reads what is wrong with the journal of rounds, with numbers that agree, and where it was kept', () => {
  const lines: string[] = [];
  const warnings = warnIn(createLog({ format: 'json', write: (line) => lines.push(line) }));
  warnings.onDamage(1, undefined);
  warnings.onDamage(2, '/data/rounds.damaged');
  warnings.onLater(1);
  warnings.onLater(3);
  warnings.onProblem(new Error('EIO'));
  expect(
    lines.map((line) => JSON.parse(line)).map(({ level, message, kept }) => [level, message, kept]),
  ).toEqual([
    ['error', '1 damaged line of the round journal cannot be read and do not count', 'in the journal itself'],
    ['error', '2 damaged lines of the round journal cannot be read and do not count', '/data/rounds.damaged'],
    [
      'error',
      '1 round was written by a later version of typebadge: left as they are, not counted',
      undefined,
    ],
    [
      'error',
      '3 rounds were written by a later version of typebadge: left as they are, not counted',
      undefined,
    ],
    ['error', 'the round journal cannot be read: EIO', undefined],
  ]);
});
