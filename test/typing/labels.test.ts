import { expect, it } from 'vitest';
import { givenLabels, labelEntries, labelsFrom } from '../../src/typing/labels.ts';

it('gives back what a client said about its rounds, and nothing that it did not say', () => {
  expect(givenLabels(labelsFrom({}))).toStrictEqual({});
  const said = labelEntries(({ maxLength }, name) => name.repeat(9).slice(0, maxLength));
  expect(givenLabels(labelsFrom({ ...said, ...{ other: 'x' } }))).toStrictEqual(said);
});
