// Loads TypeScript as it is built for users. Not tsx: that gives every function its name back when the function is made,
// and a function made for a request would then cost the bench more than it costs the product.
import { readFile } from 'node:fs/promises';
import { register } from 'node:module';
import { fileURLToPath } from 'node:url';
import { isMainThread } from 'node:worker_threads';
import { transform } from 'esbuild';

if (isMainThread) register(import.meta.url);

export async function load(url, context, nextLoad) {
  if (!url.endsWith('.ts')) return nextLoad(url, context);
  const { code } = await transform(await readFile(fileURLToPath(url), 'utf8'), {
    loader: 'ts',
    target: 'node20.19',
  });
  return { format: 'module', source: code, shortCircuit: true };
}
