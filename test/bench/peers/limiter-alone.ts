import { createRateLimiter } from '../../../src/server/http/rate-limiter.ts';
import { median } from '../statistics.ts';

// The limiter without a server, asked by as many clients as the argument says, one after the other. Prints microseconds a call.
const count = Number(process.argv[2]);
const calls = 1_000_000;
const rounds = 9;
// Each name is a string of its own, as one that comes with a request is.
const names = Array.from({ length: count }, (_, at) =>
  Buffer.from(`${11 + (at >> 24)}.${(at >> 16) & 255}.${(at >> 8) & 255}.${at & 255}`).toString(),
);
const limiter = createRateLimiter({ name: 'content', rate: 10, burst: 20 });

const times: number[] = [];
for (let round = 0; round < rounds; round += 1) {
  const start = process.cpuUsage();
  for (let call = 0; call < calls; call += 1) limiter.take(names[call % count] as string);
  const { user, system } = process.cpuUsage(start);
  times.push((user + system) / calls);
}
process.stdout.write(`${median(times.slice(2))}\n`);
