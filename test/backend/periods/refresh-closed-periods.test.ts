import { afterEach, beforeEach, expect, it } from 'vitest';
import { openBackendReader } from '../../../src/backend/open-backend-reader.ts';
import type { Backend } from '../../../src/backend/shared/backend-start-options.ts';
import { type BackendClient, type ContractInputs, createBackendClient } from '../../../src/contract/index.ts';
import { createMemoryShell } from '../memory-shell.ts';
import { proxySandbox } from '../sync/sandbox-proxy.ts';
import { openWriterTestSite, SITE, type WriterTestSite } from '../writer-test-site.ts';

interface ServiceStatement {
  id: number;
  closed_at: string | null;
  ending_balance_in_cents: number;
}

let bench: WriterTestSite;
let reader: Backend;
let client: BackendClient;
let period: string;
/** Settled statements of the closed period. No webhook reports a later change of these. */
let changedStatement: ServiceStatement;
let removedStatement: ServiceStatement;
/** Number of cents that the service adds to the changed statement's balance. Null: it is not changed. */
let addedCents: number | null = null;
let isRemoved = false;

beforeEach(async () => {
  addedCents = null;
  isRemoved = false;
  bench = await openWriterTestSite({ subscriptions: 9, months: 4 });
  await proxySandbox(bench, { changeBody: changeStatements });
  await bench.sync();
  const statements = [...bench.sandbox.truth.statements()] as unknown as ServiceStatement[];
  period = statements.flatMap(({ closed_at }) => closed_at?.slice(0, 7) ?? []).sort()[0]!;
  [changedStatement, removedStatement] = statements.filter(({ closed_at }) =>
    closed_at?.startsWith(period),
  ) as [ServiceStatement, ServiceStatement];
  const { home, keys, writer } = bench;
  reader = openBackendReader({ home, version: '0.0.0', shell: createMemoryShell(keys), log: () => {} });
  client = createBackendClient({ reader: reader.link, writer: writer.link });
  const on = { site: SITE, period };
  await client.periods.open(on);
  await client.periods.submit({ ...on, by: 'Ada Byron', comment: 'As far as is known.' });
  await client.periods.review({ ...on, by: 'Bo Diddley', verdict: 'approve' });
  expect(await bench.waitForJob((await client.periods.close(on)).job)).toMatchObject({ state: 'done' });
});
afterEach(async () => {
  await reader.close();
  await bench.close();
});

/** Changes a response like a service that has changed or removed a statement. */
function changeStatements(path: string, body: string): string {
  if (path.startsWith('/statements/ids')) {
    if (!isRemoved) return body;
    const { statement_ids } = JSON.parse(body) as { statement_ids: number[] };
    return JSON.stringify({ statement_ids: statement_ids.filter((id) => id !== removedStatement.id) });
  }
  if (addedCents === null || !path.includes('statements')) return body;
  return JSON.stringify(
    JSON.parse(body, (_, value) =>
      value?.id === changedStatement.id && 'ending_balance_in_cents' in value && 'closed_at' in value
        ? { ...value, ending_balance_in_cents: changedStatement.ending_balance_in_cents + addedCents! }
        : value,
    ),
  );
}

const listChanges = async () => {
  const { rows, records_read_at } = await client.periods.signOffChanges({ site: SITE, period });
  const changes = rows
    .filter(({ kind }) => kind === 'statement')
    .map(({ row, change, amount_in_cents }) => ({ row, change, amount_in_cents }));
  return { changes, records_read_at };
};
async function compare(input: Partial<ContractInputs['periods']['compare']> = { refresh: true }) {
  const job = await bench.waitForJob((await client.periods.compare({ site: SITE, ...input })).job);
  expect(job).toMatchObject({ state: 'done', error: null });
  return job.summary;
}

it('reads the statements again and finds changed and removed ones that no webhook reports', async () => {
  expect(await listChanges()).toEqual({ changes: [], records_read_at: null });
  addedCents = 725;
  await bench.sync();
  await compare({});
  expect(await listChanges()).toEqual({ changes: [], records_read_at: null });

  isRemoved = true;
  const before = Date.now();
  expect(await compare()).not.toContain('not all read again');
  const { changes, records_read_at } = await listChanges();
  expect(changes).toContainEqual({ row: changedStatement.id, change: 'changed', amount_in_cents: 725 });
  expect(changes).toContainEqual({
    ...{ row: removedStatement.id, change: 'removed' },
    amount_in_cents: expect.any(Number),
  });
  expect(changes).toHaveLength(2);
  expect(Date.parse(records_read_at!)).toBeGreaterThanOrEqual(before - 1000);

  addedCents = null;
  isRemoved = false;
  await compare();
  expect((await listChanges()).changes).toEqual([]);
});

it('reads only the statements of the closed periods again', async () => {
  bench.sandbox.requests.reset();
  await compare();
  const { statements } = bench.sandbox.truth.counts();
  const requested = bench.sandbox.requests.log.map(({ url }) => url);
  expect(requested.filter((url) => url.startsWith('/webhooks'))).toEqual([]);
  expect(requested.length).toBeLessThan(statements);
});

it('reads all statements again in a full sync', async () => {
  addedCents = -310;
  await bench.sync({ full: true, only: ['statements'] });
  const { changes, records_read_at } = await listChanges();
  expect(changes).toEqual([{ row: changedStatement.id, change: 'changed', amount_in_cents: -310 }]);
  expect(records_read_at).not.toBeNull();
});

it('compares the local records if the service is unreachable, and says so', async () => {
  await bench.sandbox.close();
  expect(await compare()).toContain('The closed periods’ statements were not all read again: ');
  expect((await listChanges()).records_read_at).toBeNull();
});
