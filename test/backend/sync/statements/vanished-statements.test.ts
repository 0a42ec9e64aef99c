import { afterEach, expect, test } from 'vitest';
import { prepareSql } from '../../../../src/backend/store/sqlite/connection.ts';
import { listSyncRuns } from '../../../../src/backend/store/sync/sync-status.ts';
import { openWriterTestSite, type WriterTestSite } from '../../writer-test-site.ts';
import { proxySandbox } from '../sandbox-proxy.ts';

/** Statements that the service no longer lists are kept and marked. */
let bench: WriterTestSite;
afterEach(() => bench.close());

const lists = () => bench.sandbox.requests.byKind.statement_ids;
const countVanished = () =>
  prepareSql<number>(bench.cache(), 'SELECT id FROM statement WHERE vanished_at IS NOT NULL').pluck().all();

/** Omits the statement `missing` from the next id lists. The returned function sets the number of lists. */
async function omitStatement(missing: number): Promise<(lists: number) => void> {
  let left = 0;
  await proxySandbox(bench, {
    changeBody(path, body) {
      if (!path.startsWith('/statements/ids') || left-- <= 0) return body;
      const { statement_ids } = JSON.parse(body) as { statement_ids: number[] };
      return JSON.stringify({ statement_ids: statement_ids.filter((id) => id !== missing) });
    },
  });
  return (lists) => {
    left = lists;
  };
}

test('a statement that is no longer listed is kept and marked until it is listed again', async () => {
  bench = await openWriterTestSite({ subscriptions: 8, months: 3 });
  await bench.sync();
  const [id = 0] = [...bench.sandbox.truth.statements()].map((each) => each.id as number);
  const stored = bench.sandbox.truth.counts().statements;
  const leave = await omitStatement(id);

  leave(2);
  bench.sandbox.requests.reset();
  await bench.sync();
  expect(lists()).toBe(2);
  expect(countVanished()).toEqual([id]);
  expect(prepareSql(bench.cache(), 'SELECT count(*) FROM statement').pluck().get()).toBe(stored);
  expect(
    prepareSql(bench.cache(), 'SELECT count(*) FROM txn WHERE statement_id = ?').pluck().get(id),
  ).toBeGreaterThan(0);
  expect(listSyncRuns(bench.cache(), 1)[0]).toMatchObject({ complete: true });

  await bench.sync();
  expect(countVanished()).toEqual([]);
});

test('a statement missing from only one list has not vanished', async () => {
  bench = await openWriterTestSite({ subscriptions: 8, months: 3 });
  await bench.sync();
  const [id = 0] = [...bench.sandbox.truth.statements()].map((each) => each.id as number);
  const leave = await omitStatement(id);
  leave(1);
  await bench.sync();
  expect(countVanished()).toEqual([]);
});
