import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/kit/package-files.ts';
import { newServeConfig } from '../../src/server/settings/config.ts';
import { send } from '../support/http-client.ts';
import { startTestServer } from '../support/test-server.ts';
import { createTypingClient } from '../support/typing-client.ts';
import { until } from '../support/until.ts';

const alerts = packageFile('deploy', 'prometheus-alerts.yml');
const dashboard = JSON.parse(readFileSync(packageFile('deploy', 'grafana-dashboard.json'), 'utf8'));
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
if (!hasPromtool && process.env.TYPEBADGE_REQUIRE_DEPLOYMENT === '1') {
  throw new Error('promtool is required by TYPEBADGE_REQUIRE_DEPLOYMENT=1.');
}

test.skipIf(!hasPromtool)('Prometheus itself accepts the alerts', () => {
  expect(execFileSync('promtool', ['check', 'rules', alerts], { encoding: 'utf8' })).toContain('SUCCESS');
});

test.skipIf(!hasPromtool)('each alert is raised by its cause, and by nothing else', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'typebadge-alerts-'));
  try {
    const cases = await readFile(packageFile('test', 'deploy', 'alert-cases.yml'), 'utf8');
    await writeFile(join(folder, 'cases.yml'), cases.replaceAll('@RULES@', alerts));
    const { status, stdout, stderr } = spawnSync('promtool', ['test', 'rules', join(folder, 'cases.yml')], {
      encoding: 'utf8',
    });
    expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('SUCCESS')]);
    const named = [...readFileSync(alerts, 'utf8').matchAll(/alert: (\w+)/g)].map(([, name]) => name);
    expect(named.filter((name) => !cases.includes(`alertname="${name}"`))).toEqual([]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('alerts and dashboard only use figures and labels that a real server has', async () => {
  const server = await startTestServer({
    metrics: { host: '127.0.0.1', port: 0 },
    badgeLimits: { ...newServeConfig().badgeLimits, pages: { rate: 0.001, burst: 1 } },
  });
  try {
    await send(server.port, { path: '/demo' });
    await send(server.port, { path: '/demo' });
    server.metrics?.metrics.storeCall('rounds.keep', 1, false);
    const client = createTypingClient(server.port);
    await client.createSession();
    await until(async () => /limiter_refusals_total\{/.test((await server.metrics?.text()) ?? ''));
    const present = (await server.metrics?.text()) ?? '';
    const queries = JSON.stringify(dashboard) + readFileSync(alerts, 'utf8');
    const asked = new Set(queries.match(/\b(?:typebadge|nodejs|process)_[a-z0-9_]+/g));
    expect(asked.size).toBeGreaterThan(10);
    expect([...asked].filter((name) => !new RegExp(`^${name}[{ ]`, 'm').test(present))).toEqual([]);
    const labels = [...queries.matchAll(/\b(?:by|sum by) \(([a-z, ]+)\)/g)].flatMap(([, list]) =>
      (list as string).split(', '),
    );
    const ofPrometheus = ['job', 'instance'];
    const unknown = labels.filter(
      (label) => !ofPrometheus.includes(label) && !present.includes(`${label}="`),
    );
    expect(unknown).toEqual([]);
  } finally {
    await server.close();
  }
});

test('every panel says what it shows, and none overlaps another', () => {
  const places = dashboard.panels.map(
    ({ gridPos: { x, y } }: { gridPos: { x: number; y: number } }) => `${x},${y}`,
  );
  expect(new Set(places).size).toBe(dashboard.panels.length);
  expect(dashboard.panels.every(({ description }: { description: string }) => description.length > 10)).toBe(
    true,
  );
});
