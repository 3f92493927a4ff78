import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { chromiumEngine } from './chromium-engine.ts';
import type { Ability, Engine, EngineKind, Tab } from './engine.ts';
import { firefoxEngine } from './firefox-engine.ts';
import { webkitEngine } from './webkit-engine.ts';

const engineKinds: readonly EngineKind[] = [chromiumEngine, firefoxEngine, webkitEngine];

/** A test that needs an ability; where the engine lacks it, the test is left out under a title that says why. */
export type TestWith = (ability: Ability, title: string, body: () => Promise<void>) => void;

/**
 * A suite that runs in each engine, started before its first test and closed after the last. An engine that is not on
 * this machine is left out, and says so; with `TYPEBADGE_REQUIRE_BROWSER=1` it fails instead.
 */
export function describeInEngines(title: string, suite: (tab: () => Tab, testWith: TestWith) => void): void {
  for (const kind of engineKinds) {
    const whole = `${title}, in ${kind.name}`;
    if (kind.missing.length > 0) leaveOut(whole, kind);
    else describe(whole, () => runIn(kind, suite));
  }
}

function runIn(kind: EngineKind, suite: Parameters<typeof describeInEngines>[1]): void {
  let engine: Engine | undefined;
  beforeAll(async () => {
    engine = await kind.start();
  });
  afterAll(() => engine?.close());
  const currentTab = () => {
    if (engine === undefined) throw new Error(`${kind.name} runs only while tests do`);
    return engine.tab;
  };
  suite(currentTab, (ability, title, body) => {
    const reason = kind.lacks[ability];
    if (reason === undefined) test(title, body);
    else test.skip(`${title} (${kind.name}: ${reason})`, body);
  });
}

function leaveOut(title: string, { missing }: EngineKind): void {
  const reason = `needs ${missing.join(' and ')}`;
  if (process.env.TYPEBADGE_REQUIRE_BROWSER === '1') {
    test(title, () => expect.fail(`${reason}, required by TYPEBADGE_REQUIRE_BROWSER=1`));
    return;
  }
  console.warn(`left out, ${reason}: ${title}`);
  describe.skip(title, () => {
    test(reason, () => expect.fail('never runs'));
  });
}
