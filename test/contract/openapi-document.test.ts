import { readFile } from 'node:fs/promises';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/kit/package-files.ts';

// In a file without a server: the linter keeps this process busy for longer than servers wait on an idle connection.
test('the contract is a valid OpenAPI 3.1 document, even by the recommended rules of a linter', async () => {
  const text = await readFile(packageFile('dist', 'openapi.json'), 'utf8');
  expect(JSON.parse(text).openapi).toMatch(/^3\.1\./);
  const config = await createConfig({ extends: ['recommended'] });
  const problems = await lintFromString({ source: text, absoluteRef: 'openapi.json', config });
  expect(problems.map(({ ruleId, message, location }) => [ruleId, message, location[0]?.pointer])).toEqual(
    [],
  );
});
