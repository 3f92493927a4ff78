import { join } from 'node:path';
import { eventually, freePort, type RedisProcess, startRedis } from './redis-process.ts';

const slotCount = 16_384;

interface Node extends RedisProcess {
  readonly busPort: number;
}

export interface RedisCluster {
  readonly url: string;
  readonly nodes: readonly RedisProcess[];
  kill(): Promise<void>;
}

/** Three nodes that share the slots evenly. Resolves when all of them see a whole cluster. */
export async function startCluster(dir: string): Promise<RedisCluster> {
  const nodes = await Promise.all([0, 1, 2].map((at) => startNode(join(dir, `node-${at}`))));
  const [first] = nodes as [Node];
  for (const [at, node] of nodes.entries()) {
    const from = Math.floor((at * slotCount) / nodes.length);
    const to = Math.floor(((at + 1) * slotCount) / nodes.length) - 1;
    await node.command('CLUSTER', 'ADDSLOTSRANGE', String(from), String(to));
    if (node !== first)
      await node.command('CLUSTER', 'MEET', '127.0.0.1', String(first.port), String(first.busPort));
  }
  await eventually(async () => {
    const infos = await Promise.all(nodes.map((node) => node.command('CLUSTER', 'INFO')));
    return infos.every((info) => isWhole(String(info)));
  });
  return {
    url: `redis+cluster://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`,
    nodes,
    kill: async () => {
      await Promise.all(nodes.map((node) => node.kill()));
    },
  };
}

function isWhole(info: string): boolean {
  return info.includes('cluster_state:ok') && info.includes('cluster_known_nodes:3');
}

/** The port of the nodes' own talk is chosen too: by default it is 10,000 above, which may not exist. */
async function startNode(dir: string): Promise<Node> {
  const busPort = await freePort();
  const settings = ['--cluster-enabled', 'yes', '--cluster-port', String(busPort)];
  const node = await startRedis(dir, [...settings, '--cluster-node-timeout', '2000']);
  return { ...node, busPort };
}
