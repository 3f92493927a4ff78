import * as fc from '../../node_modules/fast-check/lib/fast-check.js';

const mostExamples = 100;

/**
 * fast-check as the tests see it under mutation: every mutant meets the same examples, so that a second run tells the
 * same; a hundred at most, which notice nearly all that thousands would; and the first that fails is enough.
 */
export default {
  ...fc,
  assert: (property: fc.IProperty<unknown>, parameters: fc.Parameters<unknown> = {}) =>
    fc.assert(property, {
      ...parameters,
      numRuns: Math.min(parameters.numRuns ?? mostExamples, mostExamples),
      seed: 20_260_101,
      endOnFailure: true,
    }),
};
