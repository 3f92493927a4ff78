import { execFile } from 'node:child_process';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { packageFile } from '../../src/kit/package-files.ts';
import { publicName, sendTls } from './https-client.ts';
import { type Daemon, startDaemon } from './programs.ts';

const run = promisify(execFile);

/** A web server with one of the example files, on ports of this machine. */
export interface FrontServer extends Daemon {
  readonly httpsPort: number;
  readonly httpPort: number;
  /** The certificate to check it by. */
  readonly ca: Buffer;
}

export interface FrontOptions {
  /** Holds everything that it writes. */
  readonly folder: string;
  readonly httpsPort: number;
  readonly httpPort: number;
}

/** Replaces what must be there, and only that; nothing else of an example file changes. */
export function replaceAllOf(text: string, replacements: readonly (readonly [string, string])[]): string {
  return replacements.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`The example file holds no "${from}".`);
    return changed.replaceAll(from, to);
  }, text);
}

/** nginx with a site file: its ports, its certificate and what else is given are those of this machine. */
export async function startNginx(
  file: string,
  { folder, httpsPort, httpPort }: FrontOptions,
  replacements: readonly (readonly [string, string])[],
): Promise<FrontServer> {
  await chmod(folder, 0o755); // its workers give up the rights of root
  const certificate = join(folder, 'certificate.pem');
  const key = join(folder, 'key.pem');
  await makeCertificate(certificate, key);
  const site = await readFile(packageFile('deploy', file), 'utf8');
  const live = `/etc/letsencrypt/live/${publicName}`;
  const here = replaceAllOf(site.replaceAll(/^ *listen \[::\].*\n/gm, ''), [
    ['listen 443 ', `listen 127.0.0.1:${httpsPort} `],
    [`${live}/fullchain.pem`, certificate],
    [`${live}/privkey.pem`, key],
    ...replacements,
  ]).replaceAll('listen 80;', `listen 127.0.0.1:${httpPort};`);
  await writeFile(join(folder, 'site.conf'), here);
  await writeFile(join(folder, 'nginx.conf'), toMainConfig(folder));
  const args = ['-p', folder, '-c', join(folder, 'nginx.conf')];
  await run('nginx', ['-t', ...args]);
  const ca = await readFile(certificate);
  const isReady = async () => (await sendTls(httpsPort, ca, { path: '/health' })).status === 200;
  const daemon = await startDaemon('nginx', [...args, '-g', 'daemon off;'], { isReady });
  return { ...daemon, httpsPort, httpPort, ca };
}

/** What a distribution's nginx.conf says around a site, with every file in one folder. */
function toMainConfig(folder: string): string {
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  return `pid ${folder}/nginx.pid;
error_log ${folder}/error.log;
events {}
http {
  access_log off;
  types { text/html html; }
  default_type application/octet-stream;
  ${paths.map((path) => `${path}_temp_path ${folder}/${path};`).join(' ')}
  include ${folder}/site.conf;
}
`;
}

async function makeCertificate(certificate: string, key: string): Promise<void> {
  const subject = ['-subj', `/CN=${publicName}`, '-addext', `subjectAltName=DNS:${publicName}`];
  const algorithm = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const files = ['-keyout', key, '-out', certificate];
  await run('openssl', ['req', '-x509', '-days', '2', ...algorithm, ...subject, ...files]);
}

/** Caddy with its example file; the certificate is its own, not one of the world's. */
export async function startCaddy(
  { folder, httpsPort, httpPort }: FrontOptions,
  upstreamPort: number,
): Promise<FrontServer> {
  const settings = [
    ...['admin off', 'local_certs', 'skip_install_trust', 'default_bind 127.0.0.1'],
    ...[`http_port ${httpPort}`, `https_port ${httpsPort}`, `storage file_system ${folder}/storage`],
  ];
  const site = replaceAllOf(await readFile(packageFile('deploy', 'Caddyfile'), 'utf8'), [
    ['127.0.0.1:8787', `127.0.0.1:${upstreamPort}`],
    ['\tservers {', `\t${settings.join('\n\t')}\n\tservers {`],
  ]);
  const file = join(folder, 'Caddyfile');
  await mkdir(join(folder, 'storage'));
  await writeFile(file, site);
  const env = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const args = ['--config', file, '--adapter', 'caddyfile'];
  await run('caddy', ['validate', ...args], { env });
  const root = join(folder, 'storage', 'pki', 'authorities', 'local', 'root.crt');
  const isReady = async () =>
    (await sendTls(httpsPort, await readFile(root), { path: '/health' })).status === 200;
  const daemon = await startDaemon('caddy', ['run', ...args], { env, isReady });
  return { ...daemon, httpsPort, httpPort, ca: await readFile(root) };
}

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
