import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdir, readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:https';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { packageFile } from '../../src/kit/package-files.ts';
import { type Answer, finish, type Question } from '../support/http-client.ts';
import { freePort } from '../support/redis/redis-process.ts';
import { replaceAllOf } from './programs.ts';

const run = promisify(execFile);

/** The name by which the example files know the server. */
export const publicName = 'badge.example.org';

export interface TlsQuestion extends Question {
  /** The address to ask from: each address of 127.0.0.0/8 is a client of its own. Default: 127.0.0.1. */
  readonly from?: string;
}

/** A web server with one of the example files, on ports of this machine. */
export interface FrontServer {
  readonly httpsPort: number;
  readonly httpPort: number;
  /** The certificate to check it by. */
  readonly ca: Buffer;
  /** Asks it as the public server, and checks its certificate. */
  ask(question: TlsQuestion): Promise<Answer>;
  stop(): Promise<void>;
}

/** Where it listens, and its certificate. */
async function newSite(folder: string) {
  const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
  const subject = ['-subj', `/CN=${publicName}`, '-addext', `subjectAltName=DNS:${publicName}`];
  const algorithm = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
  const files = ['-keyout', key, '-out', certificate];
  await run('openssl', ['req', '-x509', '-days', '2', ...algorithm, ...subject, ...files]);
  return { httpsPort: await freePort(), httpPort: await freePort(), certificate, key };
}

/** Starts a program that stays in the foreground; resolves once it answers, rejects with its words if it ends. */
async function startFront(
  { httpsPort, httpPort, certificate }: Omit<Awaited<ReturnType<typeof newSite>>, 'key'>,
  [command, ...args]: readonly [string, ...string[]],
  env: NodeJS.ProcessEnv = process.env,
): Promise<FrontServer> {
  const child = spawn(command, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let words = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (words += chunk));
  const ended = once(child, 'close');
  const ask = async ({ method = 'GET', path, headers = {}, body, from = '127.0.0.1' }: TlsQuestion) => {
    const ca = await readFile(certificate);
    const outgoing = request({
      ...{ host: '127.0.0.1', port: httpsPort, localAddress: from, servername: publicName, ca },
      ...{ method, path, headers: { Host: publicName, ...headers }, agent: false },
    });
    return finish(outgoing, body);
  };
  const isReady = () =>
    ask({ path: '/health' }).then(
      ({ status }) => status === 200,
      () => false,
    );
  for (; !(await isReady()); await sleep(50))
    if (child.exitCode !== null) throw new Error(`${command} ended:\n${words}`);
  const stop = async () => {
    child.kill('SIGTERM');
    await ended;
  };
  return { httpsPort, httpPort, ca: await readFile(certificate), ask, stop };
}

/** nginx with a site file: its ports, its certificate and what else is given are those of this machine. */
export async function startNginx(
  folder: string,
  file: string,
  replacements: readonly (readonly [string, string])[],
): Promise<FrontServer> {
  await chmod(folder, 0o755); // its workers give up the rights of root
  const site = await newSite(folder);
  const live = `/etc/letsencrypt/live/${publicName}`;
  const example = await readFile(packageFile('deploy', file), 'utf8');
  const here = replaceAllOf(example.replaceAll(/^ *listen \[::\].*\n/gm, ''), [
    ['listen 443 ', `listen 127.0.0.1:${site.httpsPort} `],
    [`${live}/fullchain.pem`, site.certificate],
    [`${live}/privkey.pem`, site.key],
    ...replacements,
  ]).replaceAll('listen 80;', `listen 127.0.0.1:${site.httpPort};`);
  await writeFile(join(folder, 'site.conf'), here);
  // What a distribution's nginx.conf says around a site, with every file in one folder.
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const main = `pid ${folder}/nginx.pid;
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
  await writeFile(join(folder, 'nginx.conf'), main);
  const args = ['-p', folder, '-c', join(folder, 'nginx.conf')];
  await run('nginx', ['-t', ...args]);
  return startFront(site, ['nginx', ...args, '-g', 'daemon off;']);
}

/** Caddy with its example file; the certificate is its own, not one of the world's. */
export async function startCaddy(folder: string, upstreamPort: number): Promise<FrontServer> {
  const [httpsPort, httpPort] = [await freePort(), await freePort()];
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
  const certificate = join(folder, 'storage', 'pki', 'authorities', 'local', 'root.crt');
  return startFront({ httpsPort, httpPort, certificate }, ['caddy', 'run', ...args], env);
}

/** The example files name three machines; here all three are this one. */
const localReplicas = (ports: readonly number[]) =>
  ports.map((port, at) => [`10.0.0.1${at + 1}:8787`, `127.0.0.1:${port}`] as const);

export function startNginxForReplicas(folder: string, ports: readonly number[]): Promise<FrontServer> {
  return startNginx(folder, 'nginx-replicas.conf', localReplicas(ports));
}

/** HAProxy with its example file. */
export async function startHaproxy(folder: string, ports: readonly number[]): Promise<FrontServer> {
  const site = await newSite(folder);
  const both = join(folder, 'both.pem');
  await writeFile(both, Buffer.concat([await readFile(site.certificate), await readFile(site.key)]));
  const config = replaceAllOf(await readFile(packageFile('deploy', 'haproxy.cfg'), 'utf8'), [
    ['/etc/haproxy/badge.example.org.pem', both],
    ['bind :80\n', `bind 127.0.0.1:${site.httpPort}\n`],
    ['bind :443 ', `bind 127.0.0.1:${site.httpsPort} `],
    ...localReplicas(ports),
  ]);
  const file = join(folder, 'haproxy.cfg');
  await writeFile(file, config);
  await run('haproxy', ['-c', '-f', file]);
  return startFront(site, ['haproxy', '-db', '-f', file]);
}
