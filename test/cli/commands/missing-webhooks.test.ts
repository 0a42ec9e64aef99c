import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { MissingWebhookRow } from '../../../src/contract/index.ts';
import { openWriterTestSite } from '../../backend/writer-test-site.ts';
import { run, runFailing, runJson, temporaryFolder } from '../run-tieout.ts';

test('missing webhooks of a time range are listed, exported and never called complete', async () => {
  const faults = { endpoint_disabled: ['2026-10-03T00:00:00Z', '2026-10-06T12:00:00Z'] as const };
  const bench = await openWriterTestSite({ seed: 5, subscriptions: 60, months: 2, outage: false, faults });
  onTestFinished(() => bench.close());
  await bench.sync();
  const at = { home: bench.home, key: bench.sandbox.apiKey, keychain: false };
  const range = ['--from', '2026-10-03T00:00:00Z', '--to', '2026-10-06T12:00:00Z'];
  const expected = bench.sandbox.truth.ungenerated().length;
  const missing = ['webhooks', 'missing', ...range];
  const listed = await runJson<{ rows: MissingWebhookRow[] }>(missing, at, 1);
  expect(listed.rows).toHaveLength(expected);
  expect(listed.rows.every(({ reconstructed }) => reconstructed)).toBe(true);
  const table = await run(missing, at);
  expect(table.code).toBe(1);
  // No webhook of the log reports a refund, so the site may not receive that event.
  const unconfirmed = listed.rows.filter(({ event }) => event === 'refund_success').length;
  const printed = table.stdout + table.stderr;
  expect(printed).toContain(`${expected - unconfirmed} missing, ${unconfirmed} unconfirmed.`);
  expect(printed).toMatch(/Unknown: .*customer_update.*have not been read/);
  const read = await run([...missing, '--read-events'], at);
  expect(read.stdout + read.stderr).not.toContain('Unknown: ');
  const file = join(temporaryFolder(), 'missing.json');
  await run([...missing, '-o', file], at);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ reconstructed: true });
  await runFailing([...missing, '-o', file], at, 2);
  const none = ['webhooks', 'missing', '--from', '2026-10-20T00:00:00Z', '--to', '2026-10-21T00:00:00Z'];
  const quiet = await run(none, at);
  expect(quiet.stdout + quiet.stderr).toContain('No missing webhook is known.');
  expect(quiet.stdout + quiet.stderr).toContain('Unknown: ');
  expect(await runFailing(['webhooks', 'missing'], at, 2)).toMatchObject({ code: 'validation' });
});
