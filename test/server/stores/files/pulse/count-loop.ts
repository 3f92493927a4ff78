// Counts one click a save for as long as it lives, and says so only once it is reported as saved.
// Usage: count-loop FOLDER SITE
import { writeSync } from 'node:fs';
import { createPulse } from '../../../../../src/server/stores/files/pulse/pulse.ts';

const [dir = '', site = ''] = process.argv.slice(2);
let hasFailed = false;
const pulse = createPulse({
  dir,
  compactFrom: 400, // a few lines, so that every few saves rewrite the file
  onProblem({ message }) {
    hasFailed = true;
    writeSync(2, `${message}\n`);
  },
});
while (!hasFailed) {
  pulse.count({ day: '2026-11-20', announcement: 'a', event: 'click', site });
  await pulse.save();
  if (!hasFailed) writeSync(1, '.');
}
