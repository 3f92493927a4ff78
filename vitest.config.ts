import { availableParallelism } from 'node:os';
import { relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { longestFiles, together } from './test/test-order.ts';

/**
 * Starts the files of a project in a row, because vitest ends a process that several files share at the first file of another project;
 * of each project, the longest first, then the others as vitest would.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const usual = await super.sort(files);
    const placeOf = ({ moduleId }: TestSpecification) => {
      const place = longestFiles.indexOf(relative(this.ctx.config.root, moduleId));
      return place < 0 ? longestFiles.length : place;
    };
    const rowOf = ({ project }: TestSpecification) => projectRow.indexOf(project.name);
    return usual.sort((a, b) => rowOf(a) - rowOf(b) || placeOf(a) - placeOf(b));
  }
}

// Node 20 reads these certificates at each start, which takes 0.1 s, and the suite starts thousands of programs. Only downloads need
// them.
if (process.env.TYPEBADGE_NEWCOMER !== 'whole') delete process.env.NODE_EXTRA_CA_CERTS;

const programs = [
  'test/{browser,cli,deploy,fuzz,newcomer,terminal}/**/*.test.{ts,tsx}',
  'test/server/{replicas,stores,webhooks,workers}/**/*.test.ts',
  'test/server/*.test.ts',
];
const projectRow = ['apart', 'programs', 'together'];
/** What `npm run test:fast` leaves out. */
const slow = ['test/typing/{adaptive-modes,guided-letters}.test.ts'];
const exclude = [
  'test/{bench,mutation}/node_modules/**',
  ...(process.env.npm_lifecycle_event === 'test:fast' ? slow : []),
];

export default defineConfig({
  test: {
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 20_000 } },
    // More than the cores of a small machine: many files wait most of their time, for a terminal, a browser or a lease.
    maxWorkers: Math.min(8, availableParallelism() + 1),
    sequence: { sequencer: LongestFirst },
    // A gate on a machine that others use, too, tries a failed test once more and marks it in the report; at home it fails at once.
    retry: process.env.CI === 'true' ? 1 : 0,
    // Tests that weigh memory collect garbage first.
    execArgv: ['--expose-gc'],
    projects: [
      { extends: true, test: { name: 'together', include: [...together], exclude, isolate: false } },
      {
        extends: true,
        test: {
          name: 'apart',
          include: ['test/**/*.test.{ts,tsx}'],
          exclude: [...exclude, ...together, ...programs],
        },
      },
      {
        extends: true,
        test: {
          name: 'programs',
          include: programs,
          exclude,
          // What they test is in processes of their own: importing the same modules for each file took a quarter of their time.
          isolate: false,
          // They start programs, browsers, terminals and stores: one that takes 10 s alone took 65 s with a load of 18 on two cores.
          testTimeout: 150_000,
          hookTimeout: 150_000,
        },
      },
    ],
  },
});
