import { expect, expectTypeOf, test } from 'vitest';
import { type ErrorCode, errorCodes } from '../../src/contract/error-codes.ts';
import type { KitCode } from '../../src/server/http/errors.ts';
import type { Problem } from '../../src/typing/rules/rules.ts';

test('no code is listed twice', () => {
  expect(new Set(errorCodes).size).toBe(errorCodes.length);
});

test('the contract lists the error codes of the HTTP kit and the typing engine', () => {
  expectTypeOf<KitCode>().toExtend<ErrorCode>();
  expectTypeOf<Problem['code']>().toExtend<ErrorCode>();
});
