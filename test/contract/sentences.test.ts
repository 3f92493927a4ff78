import { expect, test } from 'vitest';
import * as answerTypes from '../../src/contract/answer-types.ts';
import * as badgeTypes from '../../src/contract/badge-types.ts';
import * as customLayout from '../../src/contract/custom-layout.ts';
import * as deskTypes from '../../src/contract/desk-types.ts';
import * as requestTypes from '../../src/contract/request-types.ts';
import * as sessionSetup from '../../src/contract/session-setup.ts';

interface Sentences {
  readonly descriptions: Set<string>;
  readonly refusals: Set<string>;
}

/** Everything that schemas say, wherever in them it is. */
function collect(part: unknown, found: Sentences, seen = new Set<unknown>()): Sentences {
  if (typeof part !== 'object' || part === null || seen.has(part)) return found;
  seen.add(part);
  const { description, message } = part as { description?: unknown; message?: unknown };
  if (typeof description === 'string') found.descriptions.add(description);
  if (typeof message === 'string') found.refusals.add(message);
  for (const inner of Object.values(part)) collect(inner, found, seen);
  return found;
}

const rooms = { answerTypes, badgeTypes, deskTypes, customLayout, requestTypes, sessionSetup };
const { descriptions, refusals } = collect(rooms, { descriptions: new Set(), refusals: new Set() });

test('every description in the contract is a whole sentence, or several', () => {
  expect(descriptions.size).toBeGreaterThan(80);
  for (const sentence of descriptions) {
    expect(sentence).toMatch(/^[A-Z0-9`(].{5,}\.$/s);
    expect(sentence).not.toMatch(/ {2}|: ?\.|: Default/);
  }
});

test('every refusal says what must be, or what is wrong', () => {
  expect(refusals.size).toBeGreaterThan(50);
  for (const sentence of refusals) {
    expect(sentence).toMatch(
      /^(?:must (?:not )?(?:be|have|hold)|is too|has|holds) .*[^.]$|^is too (?:long|large)$/,
    );
    expect(sentence).not.toMatch(/ {2}/);
  }
});
