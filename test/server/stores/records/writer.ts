import { writeSync } from 'node:fs';
import { createFileRecords } from '../../../../src/server/stores/records/file-records.ts';

// A process that writes records and says which of its changes were acknowledged: `DIR NAME COUNT WAY`.
const [dir = '', name = '', count = '', way = ''] = process.argv.slice(2);
const records = createFileRecords({ dir, maxFileSize: 4_000 });
for (let at = 0; at < Number(count); at += 1) {
  const id = way === 'new' ? `new/${at}` : `shared/${at % 3}`;
  if (way !== 'if') {
    const push = [`${name} ${at} ${'x'.repeat(at % 400)}`];
    await records.commit(id, { add: { n: 1 }, push, durable: at % 20 === 0 });
  } else {
    for (;;) {
      const { version, values = [] } = await records.read(id, ['n']);
      const put = { n: String(Number(values[0] ?? 0) + 1) };
      if ('version' in (await records.commit(id, { if: version, put }))) break;
    }
  }
  writeSync(1, `${name} ${at}\n`);
}
await records.close();
