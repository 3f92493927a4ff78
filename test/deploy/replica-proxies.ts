import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageFile } from '../../src/kit/package-files.ts';
import { sendTls } from './https-client.ts';
import { startDaemon } from './programs.ts';
import { type FrontOptions, type FrontServer, makeCertificate, replaceAllOf, startNginx } from './proxies.ts';

const run = promisify(execFile);

/** The example files name three machines; here all three are this one. */
const toLocal = (ports: readonly number[]) =>
  ports.map((port, at) => [`10.0.0.1${at + 1}:8787`, `127.0.0.1:${port}`] as const);

export function startNginxForReplicas(options: FrontOptions, ports: readonly number[]): Promise<FrontServer> {
  return startNginx('nginx-replicas.conf', options, toLocal(ports));
}

/** HAProxy with its example file, on ports of this machine. */
export async function startHaproxy(
  { folder, httpsPort, httpPort }: FrontOptions,
  ports: readonly number[],
): Promise<FrontServer> {
  const certificate = join(folder, 'certificate.pem');
  const key = join(folder, 'key.pem');
  await makeCertificate(certificate, key);
  const ca = await readFile(certificate);
  const both = join(folder, 'both.pem');
  await writeFile(both, Buffer.concat([ca, await readFile(key)]));
  const example = await readFile(packageFile('deploy', 'haproxy.cfg'), 'utf8');
  const config = replaceAllOf(example, [
    ['/etc/haproxy/badge.example.org.pem', both],
    ['bind :80\n', `bind 127.0.0.1:${httpPort}\n`],
    ['bind :443 ', `bind 127.0.0.1:${httpsPort} `],
    ...toLocal(ports),
  ]);
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, config);
  await run('haproxy', ['-c', '-f', file]);
  const isReady = async () => (await sendTls(httpsPort, ca, { path: '/health' })).status === 200;
  const daemon = await startDaemon('haproxy', ['-db', '-f', file], { isReady });
  return { ...daemon, httpsPort, httpPort, ca };
}
