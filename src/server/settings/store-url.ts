export interface StoreNode {
  readonly host: string;
  readonly port: number;
}

interface Login {
  readonly username?: string;
  readonly password?: string;
  /** It trusts the authorities that Node.js trusts. */
  readonly tls: boolean;
}

export type RedisAddress = Login &
  (
    | { readonly kind: 'single'; readonly node: StoreNode; readonly db: number }
    | { readonly kind: 'socket'; readonly path: string; readonly db: number }
    | { readonly kind: 'sentinel'; readonly nodes: StoreNodes; readonly name: string; readonly db: number }
    | { readonly kind: 'cluster'; readonly nodes: StoreNodes }
  );
type StoreNodes = readonly StoreNode[];

const forms =
  'A store is redis://HOST:PORT, rediss://HOST:PORT, redis+sentinel://HOST:PORT,HOST:PORT/NAME, redis+cluster://HOST:PORT,HOST:PORT or unix:///PATH.';
const socketForm = 'The socket of a store is unix:///PATH, such as unix:///run/redis/redis.sock.';
const sentinelForm =
  'Sentinels need the name of the primary that they watch: redis+sentinel://HOST:PORT/NAME.';

const pattern =
  /^redis(s?)(\+sentinel|\+cluster|):\/\/(?:([^@/:]*)(?::([^@/]*))?@)?([^@/?#]+)(?:\/([^?#]*))?$/;

/** The parts of a text; throws the sentence if it does not fit the pattern. */
function matchedParts(text: string, form: RegExp, sentence: string): (string | undefined)[] {
  const found = form.exec(text);
  if (found === null) throw new Error(sentence);
  return found.slice(1);
}

/** Parses the URL of a store. The messages of its errors never repeat the URL: it may hold a password. */
export function parseStoreUrl(text: string): RedisAddress {
  if (text.startsWith('unix:')) {
    const [path = '', db] = matchedParts(text, /^unix:\/\/(\/[^?#]+)(?:\?db=([^&#]*))?$/, socketForm);
    return { kind: 'socket', path: decode(path), db: parseDatabase(db), tls: false };
  }
  const [secure, kind, username, password, hosts = '', path = ''] = matchedParts(text, pattern, forms);
  const access = {
    ...(username && { username: decode(username) }),
    ...(password !== undefined && { password: decode(password) }),
    tls: secure === 's',
  };
  if (kind === '+sentinel') {
    const [name = '', db] = matchedParts(path, /^([A-Za-z0-9._-]+)(?:\/(.*))?$/, sentinelForm);
    return { kind: 'sentinel', nodes: parseNodes(hosts, 26_379), name, db: parseDatabase(db), ...access };
  }
  const nodes = parseNodes(hosts, 6379);
  if (kind === '+cluster') {
    if (path === '') return { kind: 'cluster', nodes, ...access };
    throw new Error('A cluster has one database: leave out what follows the servers.');
  }
  const [node, ...others] = nodes;
  if (node === undefined || others.length > 0)
    throw new Error('redis:// takes one server; several are redis+sentinel:// or redis+cluster://.');
  return { kind: 'single', node, db: parseDatabase(path), ...access };
}

function parseNodes(hosts: string, defaultPort: number): StoreNode[] {
  const sentence = 'Each server of a store is HOST or HOST:PORT, such as 127.0.0.1:6379 or [::1]:6379.';
  return hosts.split(',').map((text) => {
    const form = /^(?:\[([0-9a-fA-F:.]+)\]|([A-Za-z0-9._-]+))(?::(\d{1,5}))?$/;
    const [bracketed, plain = '', port = defaultPort] = matchedParts(text, form, sentence);
    if (Number(port) < 1 || Number(port) > 65_535) throw new Error(sentence);
    return { host: bracketed ?? plain, port: Number(port) };
  });
}

function parseDatabase(text = ''): number {
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

/** The address for logs and messages, without user name and password. */
export function storeText(address: RedisAddress): string {
  if (address.kind === 'socket') return `unix://${address.path}`;
  const scheme = address.tls ? 'rediss' : 'redis';
  if (address.kind === 'single') return `${scheme}://${nodeText(address.node)}/${address.db}`;
  const name = address.kind === 'sentinel' ? `/${address.name}` : '';
  return `${scheme}+${address.kind}://${address.nodes.map(nodeText).join(',')}${name}`;
}

function nodeText({ host, port }: StoreNode): string {
  return `${host.includes(':') ? `[${host}]` : host}:${port}`;
}
