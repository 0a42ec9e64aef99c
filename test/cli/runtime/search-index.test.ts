import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { closeStore, openStore } from '../../../src/backend/store/database/open-store.ts';
import { unsearched } from '../../../src/backend/store/search/search-index.ts';
import type { Outputs } from '../../../src/contract/index.ts';
import { runForDocument, runInProcess } from '../run-in-process.ts';
import { afterTheFile, connect, run, sandbox, temporaryFolder } from '../run-tieout.ts';

const afterwards = afterTheFile();
const WORD = 'payment_success';
let at: { home: string; key: string };

beforeAll(async () => {
  const service = await sandbox(['--webhooks', '3000', '--subscriptions', '30'], afterwards);
  at = { home: temporaryFolder(afterwards), key: service.api_key };
  await connect(at, service);
  expect(await run(['sync', '--quiet'], at)).toMatchObject({ code: 0, stderr: '' });
});

const cacheFile = () => join(at.home, 'sites', 'acme', 'cache.db');
const total = async (...args: string[]) => {
  const { total } = await runForDocument<Outputs['webhooks']['list']>(['webhooks', 'list', ...args], at);
  return total?.count;
};

/** As a sync leaves it that was killed before the words of what it fetched were read. */
function forgetWords(): void {
  const cache = openStore(cacheFile(), 'cache');
  cache.exec(`
    DELETE FROM webhook_fts;
    INSERT OR IGNORE INTO webhook_unindexed SELECT id FROM webhook;
    DELETE FROM statement_fts;
    INSERT OR IGNORE INTO statement_unindexed SELECT id FROM statement;
  `);
  closeStore(cache);
}

test('what a sync has fetched is found by its words when it has ended', () => {
  const cache = openStore(cacheFile(), 'cache');
  expect(unsearched(cache)).toEqual({ webhooks: 0, statements: 0, pdfs: 0 });
  closeStore(cache);
});

test('a search reads what has not been read yet first, and then finds all there is', async () => {
  const all = await total('--search', WORD);
  expect(all).toBeGreaterThan(100);
  forgetWords();
  expect(await total('--search', WORD)).toBe(all);
});

test('so does a plan of what to replay', async () => {
  const all = await total('--search', WORD);
  forgetWords();
  const plan = await runForDocument<Outputs['replay']['plan']>(
    ['replay', 'plan', '--search', WORD, '--include-accepted'],
    at,
  );
  expect(plan.count).toBe(all);
});

test('and a list of statements', async () => {
  const some = await runForDocument<Outputs['statements']['list']>(
    ['statements', 'list', '--limit', '1'],
    at,
  );
  const name = some.rows[0]!.customer_name!;
  const before = await runForDocument<Outputs['statements']['list']>(
    ['statements', 'list', '--search', name],
    at,
  );
  forgetWords();
  const said = await runInProcess(['statements', 'list', '--search', name], at);
  expect(said.stderr).toContain(` of ${before.total?.count} statements`);
  expect(before.total?.count).toBeGreaterThan(0);
});
