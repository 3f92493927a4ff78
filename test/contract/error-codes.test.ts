import { expectTypeOf, test } from 'vitest';
import type { ErrorCode } from '../../src/contract/error-codes.ts';
import type { KitCode } from '../../src/server/http/errors.ts';
import type { Problem } from '../../src/typing/rules/rules.ts';

test('the contract lists the error codes of the HTTP kit and the typing engine', () => {
  expectTypeOf<KitCode>().toExtend<ErrorCode>();
  expectTypeOf<Problem['code']>().toExtend<ErrorCode>();
});
