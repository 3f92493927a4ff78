// JavaScript, because the processes of the mutation tester load it without a compiler.
import { tsImport } from 'tsx/esm/api';

/**
 * The mutation tester asks checkers which mutants are worth a run, as a compiler would know. This one takes those that
 * were drawn, so that all mutants of a room, also those that span many lines, can be drawn with the same probability.
 */
class SampleChecker {
  async init() {
    const { pick } = await tsImport('./sample.ts', import.meta.url);
    this.pick = pick;
  }

  /** Is asked once, with all mutants. Their ids are the same as long as the code is the same. */
  group(mutants) {
    const ids = mutants.map(({ id }) => id);
    this.drawn = this.pick(ids, JSON.parse(process.env.TYPEBADGE_MUTANT_SAMPLE));
    return [ids];
  }

  check(mutants) {
    const toStatus = (id) => (this.drawn.has(id) ? 'passed' : 'compileError');
    return Object.fromEntries(mutants.map(({ id }) => [id, { status: toStatus(id), reason: 'not drawn' }]));
  }
}

export const strykerPlugins = [{ kind: 'Checker', name: 'sample', injectableClass: SampleChecker }];
