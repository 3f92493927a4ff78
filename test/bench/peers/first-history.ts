import { createFileRecords, recordsFolder } from '../../../src/server/stores/records/file-records.ts';
import { createRounds } from '../../../src/server/stores/rounds.ts';

// The first history that a process reads. Its argument is a data folder; prints milliseconds of processor time.
const records = createFileRecords({ dir: recordsFolder(process.argv[2] ?? '') });
const rounds = createRounds(records, { quota: 1e12, retention: undefined, clock: Date.now });
const before = process.cpuUsage();
await rounds.history('local');
const { user, system } = process.cpuUsage(before);
await records.close();
console.log((user + system) / 1000);
