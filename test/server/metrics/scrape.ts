import { send } from '../../support/http-client.ts';

/** The samples of a Prometheus text: their value by name and labels, as written. */
export type Samples = ReadonlyMap<string, number>;

export async function scrape(url: string): Promise<Samples> {
  const { port, pathname } = new URL(url);
  const answer = await send(Number(port), { path: pathname, headers: { Connection: 'close' } });
  if (answer.status !== 200) throw new Error(`${answer.status}: ${answer.body}`);
  return parseSamples(answer.body.toString());
}

function parseSamples(text: string): Samples {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(' ');
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

/** The sum of all samples of a metric whose labels hold this text. */
export function total(samples: Samples, name: string, labels = ''): number {
  const own = [...samples].filter(([key]) => key.replace(/\{.*/, '') === name && key.includes(labels));
  return own.reduce((sum, [, value]) => sum + value, 0);
}
