// JavaScript, because the processes of the mutation tester load it without a compiler.
import { createHash } from 'node:crypto';

/**
 * The mutation tester asks checkers which mutants are worth a run, as a compiler would know. This one takes those that
 * were drawn, so that all mutants of a room, also those that span many lines, can be drawn with the same probability.
 */
class SampleChecker {
  async init() {}

  /** Is asked once, with all mutants. Their ids are the same as long as the code is the same. */
  group(mutants) {
    const { size, seed } = JSON.parse(process.env.TYPEBADGE_MUTANT_SAMPLE);
    const ids = mutants.map(({ id }) => id);
    // The random order that a seed gives to all of them.
    const lots = ids.map((id) => [createHash('sha256').update(`${seed} ${id}`).digest('hex'), id]);
    const order = lots.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, id]) => id);
    this.drawn = new Set(order.slice(0, size));
    return [ids];
  }

  check(mutants) {
    const toStatus = (id) => (this.drawn.has(id) ? 'passed' : 'compileError');
    return Object.fromEntries(mutants.map(({ id }) => [id, { status: toStatus(id), reason: 'not drawn' }]));
  }
}

export const strykerPlugins = [{ kind: 'Checker', name: 'sample', injectableClass: SampleChecker }];
