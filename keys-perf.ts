import { mkdtemp, rm } from 'node:fs/promises';
import { IncomingMessage } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
const root = process.argv[2];
const imp = (p) => import(`${root}/${p}`);
const { packageFile } = await imp('src/kit/package-files.ts');
const { createApp } = await imp('src/server/app.ts');
const { createLog } = await imp('src/server/settings/log.ts');
const { openFileStores } = await imp('src/server/stores/open-stores.ts');
const { newServeConfig } = await imp('src/server/settings/config.ts');
const data = await mkdtemp(join(tmpdir(), 'perf-'));
const config = newServeConfig({ port: 0, data, log: 'off', maxSessions: 100000 });
const log = createLog({ format: 'off' });
const clock = Date.now;
const contentDir = packageFile('content/sample');
const stores = await openFileStores({ ...config, contentDir, dataDir: data, clock, log });
const app = await createApp({ config, contentDir, baseUrl: 'http://127.0.0.1', stores, clock, log });
const socket = { remoteAddress: '127.0.0.1', on() {}, off(){}, once(){}, removeListener(){}, pause(){}, resume(){} };
function req(method, url, body) {
  const r = new IncomingMessage(socket);
  const text = body === undefined ? '' : JSON.stringify(body);
  Object.assign(r, { method, url, httpVersion: '1.1', httpVersionMajor: 1, httpVersionMinor: 1 });
  r.rawHeaders = ['Host', '127.0.0.1:8787', ...(body === undefined ? [] : ['Content-Type', 'application/json', 'Content-Length', String(text.length)])];
  r.headers;
  for (let i = 0; i < r.rawHeaders.length; i += 2) r._addHeaderLine?.(r.rawHeaders[i], r.rawHeaders[i + 1], r.headers);
  if (text) r.push(text);
  r.push(null); r.complete = true;
  return r;
}
const ask = async (m, u, b) => { const a = await app.answer(req(m, u, b)); return { status: a.status, body: a.body ? JSON.parse(String(a.body)) : undefined }; };
const ids = [];
for (let i = 0; i < 32; i++) ids.push((await ask('POST', '/api/sessions', {})).body.session_id);
const times = [];
let keys = 0, total = 0;
for (let round = 0; round < Number(process.argv[3] ?? 12); round++) {
  const seqs = [];
  for (const id of ids) {
    const { body } = await ask('POST', `/api/sessions/${id}/round`, {});
    const text = body.words.join(' ');
    seqs.push([...text]);
  }
  const reqs = [];
  for (let at = 0; at < 120; at++) ids.forEach((id, n) => {
    const c = seqs[n][at];
    reqs.push(c === ' ' ? req('POST', `/api/sessions/${id}/space`, { seek_time_ms: 120 }) : req('POST', `/api/sessions/${id}/keystroke`, { char: c, seek_time_ms: 120 }));
  });
  await new Promise((r) => setImmediate(r));
  const t0 = process.cpuUsage();
  for (const r of reqs) { const a = await app.answer(r); if (a.status !== 200) throw new Error(String(a.body)); }
  const { user, system } = process.cpuUsage(t0);
  times.push((user + system) / reqs.length);
  for (const id of ids) { /* next round replaces */ }
}
times.sort((a, b) => a - b);
console.log(root.padEnd(16), 'min', times[0].toFixed(1), 'median', times[times.length >> 1].toFixed(1));
await app.close?.(); await stores.close?.();
await rm(data, { recursive: true });
process.exit();
