import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { closeStore, openStore } from '../../../src/backend/store/database/open-store.ts';
import { countUnindexedRecords } from '../../../src/backend/store/search/search-index.ts';
import type { ContractOutputs } from '../../../src/contract/index.ts';
import { runForDocument, runInProcess } from '../run-in-process.ts';
import {
  cleanUpAfterFile,
  connectSandbox,
  run,
  startSandboxCommand,
  temporaryFolder,
} from '../run-tieout.ts';

const afterwards = cleanUpAfterFile();
const SEARCH_WORD = 'payment_success';
let at: { home: string; key: string };

beforeAll(async () => {
  const service = await startSandboxCommand(['--webhooks', '3000', '--subscriptions', '30'], afterwards);
  at = { home: temporaryFolder(afterwards), key: service.api_key };
  await connectSandbox(at, service);
  expect(await run(['sync', '--quiet'], at)).toMatchObject({ code: 0, stderr: '' });
});

const cacheFile = () => join(at.home, 'sites', 'acme', 'cache.db');
const countHits = async (...args: string[]) => {
  const { total } = await runForDocument<ContractOutputs['webhooks']['list']>(
    ['webhooks', 'list', ...args],
    at,
  );
  return total?.count;
};

/** Restores the state after a sync that was killed before it had indexed its records. */
function clearSearchIndex(): void {
  const cache = openStore(cacheFile(), 'cache');
  cache.exec(`
    DELETE FROM webhook_fts;
    INSERT OR IGNORE INTO webhook_unindexed SELECT id FROM webhook;
    DELETE FROM statement_fts;
    INSERT OR IGNORE INTO statement_unindexed SELECT id FROM statement;
  `);
  closeStore(cache);
}

test('records are searchable after a sync', () => {
  const cache = openStore(cacheFile(), 'cache');
  expect(countUnindexedRecords(cache)).toEqual({ webhooks: 0, statements: 0, pdfs: 0 });
  closeStore(cache);
});

test('a search indexes new records first', async () => {
  const all = await countHits('--search', SEARCH_WORD);
  expect(all).toBeGreaterThan(100);
  clearSearchIndex();
  expect(await countHits('--search', SEARCH_WORD)).toBe(all);
});

test('a replay plan with a search indexes new records first', async () => {
  const all = await countHits('--search', SEARCH_WORD);
  clearSearchIndex();
  const plan = await runForDocument<ContractOutputs['replay']['plan']>(
    ['replay', 'plan', '--search', SEARCH_WORD, '--include-accepted'],
    at,
  );
  expect(plan.count).toBe(all);
});

test('a statement search indexes new records first', async () => {
  const some = await runForDocument<ContractOutputs['statements']['list']>(
    ['statements', 'list', '--limit', '1'],
    at,
  );
  const name = some.rows[0]!.customer_name!;
  const before = await runForDocument<ContractOutputs['statements']['list']>(
    ['statements', 'list', '--search', name],
    at,
  );
  clearSearchIndex();
  const result = await runInProcess(['statements', 'list', '--search', name], at);
  expect(result.stderr).toContain(` of ${before.total?.count} statements`);
  expect(before.total?.count).toBeGreaterThan(0);
});
