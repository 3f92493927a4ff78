// --- debounce
export function debounce(action, delay) {
  let timer;
  return (...args) => {
    clearTimeout(timer);
    timer = setTimeout(() => action(...args), delay);
  };
}
// --- fetch json
export async function getJson(url) {
  const response = await fetch(url);
  if (!response.ok) {
    throw new Error(`${url}: ${response.status}`);
  }
  return response.json();
}
// --- memoize
export const memoize = (compute) => {
  const known = new Map();
  return (key) => {
    if (!known.has(key)) known.set(key, compute(key));
    return known.get(key);
  };
};
// --- chunks
export function* chunks(items, size) {
  for (let start = 0; start < items.length; start += size) {
    yield items.slice(start, start + size);
  }
}
// --- queue
export class Queue {
  #items = [];

  push(item) {
    this.#items.push(item);
  }

  shift() {
    return this.#items.shift();
  }

  get length() {
    return this.#items.length;
  }
}
// --- shuffle
export function shuffle(items) {
  const mixed = [...items];
  for (let last = mixed.length - 1; last > 0; last -= 1) {
    const other = Math.floor(Math.random() * (last + 1));
    [mixed[last], mixed[other]] = [mixed[other], mixed[last]];
  }
  return mixed;
}
// --- server
import { createServer } from 'node:http';

const server = createServer((request, response) => {
  response.setHeader('Content-Type', 'text/plain; charset=utf-8');
  response.end(`You asked for ${request.url}\n`);
});

server.listen(8080, () => console.log('http://localhost:8080/'));
// --- sleep
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export async function poll(check, interval = 1000) {
  while (!(await check())) {
    await sleep(interval);
  }
}
// --- sum by
export function sumBy(items, field) {
  return items
    .filter((item) => field in item)
    .map((item) => Number(item[field]))
    .reduce((sum, value) => sum + value, 0);
}
// --- click
const button = document.querySelector('#save');

button?.addEventListener('click', async (event) => {
  event.preventDefault();
  button.disabled = true;
  await fetch('/save', { method: 'POST', body: new FormData(button.form) });
  button.disabled = false;
});
// --- read stream
import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';

let count = 0;
const input = createReadStream('access.log');
for await (const line of createInterface({ input })) {
  if (line.includes(' 404 ')) count += 1;
}
console.log(`${count} pages not found`);
// --- deep equal
export function equal(a, b) {
  if (Object.is(a, b)) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || !a || !b) return false;
  const keys = Object.keys(a);
  return (
    keys.length === Object.keys(b).length &&
    keys.every((key) => equal(a[key], b[key]))
  );
}
