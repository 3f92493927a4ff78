import { createRateLimiter } from '../../../src/server/http/rate-limiter.ts';
import { medianCost } from '../report.ts';

// The limiter without a server, asked by as many clients as the argument says, one after the other. Prints microseconds a call.
const count = Number(process.argv[2]);
// Each name is a string of its own, as one that comes with a request is.
const names = Array.from({ length: count }, (_, at) =>
  Buffer.from(`${11 + (at >> 24)}.${(at >> 16) & 255}.${(at >> 8) & 255}.${at & 255}`).toString(),
);
const limiter = createRateLimiter({ name: 'content', rate: 10, burst: 20 });
const calls = 1_000_000;
const cost = await medianCost(calls, () => {
  for (let call = 0; call < calls; call += 1) limiter.take(names[call % count] as string);
});
console.log(cost);
