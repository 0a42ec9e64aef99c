import { afterEach, expect, test } from 'vitest';
import { prepareSql } from '../../../src/backend/store/sqlite/connection.ts';
import { readSyncPartState } from '../../../src/backend/store/sync/sync-unit.ts';
import type { ContractInputs } from '../../../src/contract/index.ts';
import type { FaultSpec, RequestKind } from '../../../src/sandbox/index.ts';
import { measureProcessTime } from '../../measure-process-time.ts';
import { findDifferences } from '../find-differences.ts';
import { openWriterTestSite, SITE, type WriterTestSite } from '../writer-test-site.ts';

/** A canceled sync ends within a second at any point, even if the service is slow, silent or rate limits requests. */
let bench: WriterTestSite;
afterEach(() => bench.close());

const SLOW: FaultSpec = { latency: [30_000, 30_000] };
const CASES: [
  name: string,
  input: Partial<ContractInputs['sync']['start']>,
  of: RequestKind,
  faults: FaultSpec,
][] = [
  ['the webhooks, of a slow service', {}, 'webhooks', SLOW],
  ['the webhooks, of a silent service', {}, 'webhooks', { stall_rate: 1 }],
  ['the webhooks, where the service asks to wait', {}, 'webhooks', { busy_rate: 1, retry_after: 60 }],
  ['the webhooks, between tries', {}, 'webhooks', { error_rate: 1 }],
  ['the list of statements', {}, 'statement_ids', SLOW],
  ['statements', {}, 'statements', SLOW],
  ['single statements', { only: ['statements'] }, 'statement', SLOW],
  ['allocations', {}, 'allocations', SLOW],
  ['PDFs', { only: ['pdf'] }, 'pdf', SLOW],
  ['PDFs, whose bodies are cut off', { only: ['pdf'] }, 'pdf', { half_rate: 1 }],
];

test.each(CASES)('%s', async (_, input, of, faults) => {
  bench = await openWriterTestSite({ subscriptions: 6, months: 2 }, {});
  if (of === 'pdf') await bench.sync();
  bench.sandbox.requests.reset();
  bench.sandbox.setFaults({ ...faults, only: [of] });
  const { job } = await bench.client.sync.start({ site: SITE, ...input });
  while ((bench.sandbox.requests.byKind[of] ?? 0) === 0) await new Promise((soon) => setImmediate(soon));
  const cancel = async () => {
    const canceled = await bench.client.jobs.cancel({ site: SITE, job });
    expect(canceled).toMatchObject({ state: 'canceled', error: null });
  };
  expect(await measureProcessTime(cancel)).toBeLessThan(1000);

  bench.sandbox.setFaults({});
  await bench.sync();
  if (of === 'pdf') await bench.sync(input);
  expect(findDifferences(bench.cache(), bench.sandbox.truth)).toEqual([]);
  if (of !== 'pdf') return;
  expect(readSyncPartState(bench.cache(), 'pdf')).toMatchObject({ complete: true });
  expect(prepareSql(bench.cache(), 'SELECT count(*) FROM problem').pluck().get()).toBe(0);
});
