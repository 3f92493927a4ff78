/** One server of the store. */
export interface StoreNode {
  readonly host: string;
  readonly port: number;
}

/**
 * Certificates of a TLS connection, as PEM texts. Without `ca`, it trusts the authorities that Node.js
 * trusts.
 */
export interface StoreCertificates {
  readonly ca?: string;
  readonly cert?: string;
  readonly key?: string;
}

interface Login {
  readonly username?: string;
  readonly password?: string;
  readonly tls: boolean;
  readonly certificates?: StoreCertificates;
}

/**
 * How to reach a store. For another kind of store, add its type here; the compiler then points to the code
 * that must handle it.
 */
export type StoreAddress = RedisAddress;

export type RedisAddress =
  | ({ readonly kind: 'single'; readonly node: StoreNode; readonly db: number } & Login)
  | ({ readonly kind: 'socket'; readonly path: string; readonly db: number } & Login)
  | ({
      readonly kind: 'sentinel';
      readonly nodes: readonly StoreNode[];
      readonly name: string;
      readonly db: number;
    } & Login)
  | ({ readonly kind: 'cluster'; readonly nodes: readonly StoreNode[] } & Login);

const forms =
  'redis://HOST:PORT, rediss://HOST:PORT, redis+sentinel://HOST:PORT,HOST:PORT/NAME, redis+cluster://HOST:PORT,HOST:PORT or unix:///PATH';

const pattern = /^(rediss?|rediss?\+sentinel|rediss?\+cluster):\/\/(?:([^@/]*)@)?([^@/?#]+)(\/[^?#]*)?$/;

/** Parses the URL of a store. The messages of its errors never repeat the URL: it may hold a password. */
export function parseStoreUrl(text: string): StoreAddress {
  if (text.startsWith('unix:')) return parseSocket(text);
  const [, scheme, login, hosts, path = ''] = pattern.exec(text) ?? [];
  if (scheme === undefined || hosts === undefined) throw new Error(`A store is ${forms}.`);
  const access = { ...parseLogin(login), tls: scheme.startsWith('rediss') };
  if (scheme.endsWith('+sentinel')) {
    const [, name, database = ''] = /^\/([A-Za-z0-9._-]+)(?:\/(.*))?$/.exec(path) ?? [];
    if (name === undefined)
      throw new Error(
        'Sentinels need the name of the primary that they watch: redis+sentinel://HOST:PORT/NAME.',
      );
    const db = parseDatabase(database);
    return { kind: 'sentinel', nodes: parseNodes(hosts, 26_379), name, db, ...access };
  }
  const nodes = parseNodes(hosts, 6379);
  if (scheme.endsWith('+cluster')) {
    if (path !== '' && path !== '/')
      throw new Error('A cluster has one database: leave out what follows the servers.');
    return { kind: 'cluster', nodes, ...access };
  }
  const [node, ...others] = nodes;
  if (node === undefined || others.length > 0)
    throw new Error('redis:// takes one server; several are redis+sentinel:// or redis+cluster://.');
  return { kind: 'single', node, db: parseDatabase(path.slice(1)), ...access };
}

/** The address for logs and messages, without user name and password. */
export function storeText(address: StoreAddress): string {
  const scheme = address.tls ? 'rediss' : 'redis';
  switch (address.kind) {
    case 'socket':
      return `unix://${address.path}`;
    case 'single':
      return `${scheme}://${nodeText(address.node)}/${address.db}`;
    case 'sentinel':
      return `${scheme}+sentinel://${address.nodes.map(nodeText).join(',')}/${address.name}`;
    case 'cluster':
      return `${scheme}+cluster://${address.nodes.map(nodeText).join(',')}`;
  }
}

function parseSocket(text: string): StoreAddress {
  const [, path, database = ''] = /^unix:\/\/(\/[^?#]+)(?:\?db=([^&#]*))?$/.exec(text) ?? [];
  if (path === undefined)
    throw new Error('The socket of a store is unix:///PATH, such as unix:///run/redis/redis.sock.');
  return { kind: 'socket', path: decode(path), db: parseDatabase(database), tls: false };
}

function parseNodes(hosts: string, defaultPort: number): StoreNode[] {
  return hosts.split(',').map((text) => {
    const [, bracketed, plain, port = defaultPort] =
      /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9._-]+))(?::(\d{1,5}))?$/.exec(text) ?? [];
    const host = bracketed ?? plain;
    if (host !== undefined && Number(port) >= 1 && Number(port) <= 65_535)
      return { host, port: Number(port) };
    throw new Error('Each server of a store is HOST or HOST:PORT, such as 127.0.0.1:6379 or [::1]:6379.');
  });
}

function parseLogin(text: string | undefined): { username?: string; password?: string } {
  if (text === undefined) return {};
  const [username = '', ...rest] = text.split(':');
  return {
    ...(username === '' ? {} : { username: decode(username) }),
    ...(rest.length === 0 ? {} : { password: decode(rest.join(':')) }),
  };
}

function parseDatabase(text: string): number {
  if (/^\d{0,4}$/.test(text)) return Number(text);
  throw new Error('The database of a store is a number from 0 to 9999, such as redis://127.0.0.1:6379/2.');
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function nodeText({ host, port }: StoreNode): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
