import { expectTypeOf, test } from 'vitest';
import type { ErrorCode } from '../../src/contract/error-codes.ts';
import type { Problem } from '../../src/typing/rules/rules.ts';

test('the contract lists the error codes of the typing engine', () => {
  expectTypeOf<Problem['code']>().toExtend<ErrorCode>();
});
