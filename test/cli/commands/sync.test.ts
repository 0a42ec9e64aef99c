import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ContractOutputs } from '../../../src/contract/contract.ts';
import { openWriterTestSite, SITE, type WriterTestSite } from '../../backend/writer-test-site.ts';
import { runForDocument, runForError, runInProcess } from '../run-in-process.ts';

/** Tests the command-line output after complete and incomplete syncs. */
let bench: WriterTestSite;
let at: { home: string; key: string };
beforeAll(async () => {
  bench = await openWriterTestSite({
    subscriptions: 8,
    months: 3,
    webhooks: 400,
    settings: { maxPerPage: 20 },
  });
  at = { home: bench.home, key: bench.sandbox.apiKey };
});
afterAll(() => bench.close());

const lines = async (...args: string[]) => (await runInProcess(args, at)).stdout.trimEnd().split('\n');
const status = () => lines('status');

test('status lists missing data before the first sync, after a rejected key and after a partial sync', async () => {
  expect(await lines('sync', '--history')).toEqual(['']);
  expect((await runInProcess(['sync', '--history'], at)).stderr).toBe(
    'Not synced yet. Download the data with: tieout sync --site acme\n',
  );
  expect((await status()).at(-1)).toBe('Not synced yet. Download the data with: tieout sync --site acme');

  bench.sandbox.setFaults({ expire_key_after: 4 });
  expect((await runInProcess(['sync'], at)).code).toBe(3);
  bench.sandbox.setFaults({});
  const [missing, next] = (await status()).slice(-2);
  expect(missing).toMatch(/^Missing: webhooks up to 2026-\d\d-\d\d; all statements; all allocations\.$/);
  expect(next).toMatch(
    /rejected the API key .* Replace the key with: tieout site key acme , then resume with: tieout sync/,
  );

  const part = await runInProcess(['sync', '--only', 'statements'], at);
  expect(part).toMatchObject({ code: 0 });
  expect(part.stdout).toMatch(/The requested parts are complete\.\nMissing: webhooks up to /);
  expect((await status()).slice(-2).join(' ')).toMatch(
    /^Missing: webhooks up to .* Incomplete\. Resume with: /,
  );
});

test('lists past syncs, also as JSON and CSV', async () => {
  expect((await runInProcess(['sync'], at)).code).toBe(0);
  const listed = await lines('sync', '--history');
  expect(listed[0]).toMatch(/STARTED.*RESULT.*REQUESTS +MINIMUM/);
  expect(listed.slice(1).map((line) => / {2}(complete|not complete|failed) {2}/.exec(line)?.[1])).toEqual([
    'complete',
    'complete',
    'failed',
  ]);
  expect(listed.at(-1)).toContain('rejected the API key');
  const { rows } = await runForDocument<{ rows: ContractOutputs['sync']['runs'] }>(['sync', '--history'], at);
  expect(rows.map(({ state }) => state)).toEqual(['done', 'done', 'failed']);
  expect((await runInProcess(['sync', '--history', '--csv'], at)).stdout).toMatch(/^job,started_at,/);
  expect(await runForError(['sync', '--csv'], at, 2)).toMatchObject({ code: 'validation' });
});

test('rejects a future --since and reports when it has no effect', async () => {
  expect(await runForError(['sync', '--since', '2999-01-01'], at, 2)).toMatchObject({
    message: 'The date 2999-01-01 is in the future.',
  });
  const { stderr, code } = await runInProcess(['sync', '--since', '2026-10-15'], at);
  expect(code).toBe(0);
  expect(stderr).toContain(
    '--since was ignored: webhooks are already synced from its beginning. To change the date, add --full.',
  );
  const { sites } = await runForDocument<{ sites: ContractOutputs['sync']['status'][] }>(
    ['status', '--site', SITE],
    at,
  );
  expect(sites[0]).toMatchObject({ complete: true, parts: [{ since: null, gaps: [] }, { gone: 0 }, {}, {}] });
});
