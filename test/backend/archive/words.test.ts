import { afterEach, expect, test, vi } from 'vitest';
import { openReader } from '../../../src/backend/openReader.ts';
import type { Backend } from '../../../src/backend/start.ts';
import { createClient } from '../../../src/contract/index.ts';
import { memoryShell } from '../shell.ts';
import { openWorkbench, SITE, type Workbench } from '../workbench.ts';

let bench: Workbench;
let reader: Backend;
afterEach(async () => {
  await reader.close();
  await bench.close();
});

test('a search for statements finds what only their PDFs say, once the archive has them', async () => {
  bench = await openWorkbench({ subscriptions: 3, months: 2 });
  reader = openReader({ home: bench.home, version: '0.0.0', shell: memoryShell(bench.keys), log: () => {} });
  const client = createClient({ reader: reader.link, writer: bench.writer.link });
  const found = async (search: string) => {
    const { rows } = await client.statements.list({ site: SITE, filter: { search } });
    return rows.map(({ id }) => id);
  };
  await bench.sync({ only: ['statements'] });
  const onlyInPdfs = '"Date Description Amount"';
  expect(await found(onlyInPdfs)).toEqual([]);
  await bench.sync({ only: ['pdf'] });
  const closed = [...bench.sandbox.truth.statements()].filter(({ closed_at }) => closed_at !== null);
  await vi.waitFor(
    async () => expect((await found(onlyInPdfs)).sort()).toEqual(closed.map(({ id }) => id).sort()),
    10_000,
  );
});
