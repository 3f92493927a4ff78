import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { packageFile } from '../../src/kit/package-files.ts';
import { createMetricsRegistry } from '../../src/server/metrics/metrics.ts';

const alerts = packageFile('deploy', 'prometheus-alerts.yml');
const dashboard = JSON.parse(readFileSync(packageFile('deploy', 'grafana-dashboard.json'), 'utf8'));
const hasPromtool = spawnSync('promtool', ['--version']).status === 0;
if (!hasPromtool && process.env.TYPEBADGE_REQUIRE_DEPLOYMENT === '1') {
  throw new Error('promtool is required by TYPEBADGE_REQUIRE_DEPLOYMENT=1.');
}

test.skipIf(!hasPromtool)('Prometheus itself finds nothing wrong in the alerts', () => {
  expect(execFileSync('promtool', ['check', 'rules', alerts], { encoding: 'utf8' })).toContain('SUCCESS');
});

test('alerts and dashboard ask only for metrics that the server has', async () => {
  const { metrics, text } = await createMetricsRegistry({
    version: '1.0.0',
    openSessions: () => 0,
    contentRevision: () => 0,
  });
  metrics.request('/health', 'GET', 200, 1);
  metrics.refusal('api');
  metrics.store('read', 1, false);
  const present = await text();
  const queries = JSON.stringify(dashboard) + readFileSync(alerts, 'utf8');
  const asked = new Set(queries.match(/\b(?:typebadge|nodejs|process)_[a-z0-9_]+/g));
  expect(asked.size).toBeGreaterThan(10);
  expect([...asked].filter((name) => !new RegExp(`^${name}[{ ]`, 'm').test(present))).toEqual([]);
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
