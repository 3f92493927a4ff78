import { expect, test } from 'vitest';
import { factor, seed } from '../amount.ts';
import { runCampaign } from './campaign.ts';

test('spoiled requests on bare sockets: no crash, no 5xx, no hang, no leak, nothing repeated, every answer HTTP', async () => {
  const report = await runCampaign({ seed, count: 300 * factor, parallel: 40, holds: false });
  expect(report.failures).toEqual([]);
  const statuses = [...report.statuses.keys()];
  expect(statuses).toEqual(expect.arrayContaining([200, 204, 400, 403, 404, 405]));
});
