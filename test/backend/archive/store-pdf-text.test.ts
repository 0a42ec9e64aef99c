import { afterEach, expect, test } from 'vitest';
import { openBackendReader } from '../../../src/backend/open-backend-reader.ts';
import type { Backend } from '../../../src/backend/shared/backend-start-options.ts';
import { type ContractInputs, createBackendClient } from '../../../src/contract/index.ts';
import { createMemoryShell } from '../memory-shell.ts';
import { openWriterTestSite, SITE, type WriterTestSite } from '../writer-test-site.ts';

let bench: WriterTestSite;
let reader: Backend;
afterEach(async () => {
  await reader.close();
  await bench.close();
});

test('a search finds text that only the archived PDFs of statements contain', async () => {
  bench = await openWriterTestSite({ subscriptions: 3, months: 2 });
  reader = openBackendReader({
    home: bench.home,
    version: '0.0.0',
    shell: createMemoryShell(bench.keys),
    log: () => {},
  });
  const client = createBackendClient({ reader: reader.link, writer: bench.writer.link });
  const findStatementIds = async (search: string) => {
    const { rows } = await client.statements.list({ site: SITE, filter: { search } });
    return rows.map(({ id }) => id);
  };
  await bench.sync({ only: ['statements'] });
  const pdfOnlyText = '"Date Description Amount"';
  expect(await findStatementIds(pdfOnlyText)).toEqual([]);
  await bench.sync({ only: ['pdf'] });
  const closed = [...bench.sandbox.truth.statements()].filter(({ closed_at }) => closed_at !== null);
  await expect
    .poll(async () => (await findStatementIds(pdfOnlyText)).sort())
    .toEqual(closed.map(({ id }) => id).sort());

  const page = (await client.statements.list({ site: SITE, filter: { search: pdfOnlyText } })).rows;
  expect(page.map((row) => row.passage)).toEqual(
    page.map(() => expect.objectContaining({ source: 'pdf', page: 1, hit: 'Date Description Amount' })),
  );
});

test('a search in PDFs finds matches across a list of statements, from any of them, in both directions', async () => {
  bench = await openWriterTestSite({ subscriptions: 4, months: 3 });
  reader = openBackendReader({
    home: bench.home,
    version: '0.0.0',
    shell: createMemoryShell(bench.keys),
    log: () => {},
  });
  const client = createBackendClient({ reader: reader.link, writer: bench.writer.link });
  await bench.sync({ only: ['statements'] });
  await bench.sync({ only: ['pdf'] });
  const find = (input: Partial<ContractInputs['statements']['find']>) =>
    client.statements.find({ site: SITE, words: 'ending bal', ...input });
  const { rows } = await client.statements.list({ site: SITE, limit: 1000 });
  const closed = rows.filter(({ pdf_stored }) => pdf_stored).map(({ id }) => id);
  await expect.poll(async () => (await find({ limit: 100 })).rows.map(({ id }) => id)).toEqual(closed);
  const { rows: all } = await find({ limit: 100 });
  expect(all[0]?.passages[0]).toMatchObject({ source: 'pdf', page: 1, hit: 'Ending bal' });

  // Searches one by one, forward and backward, and from the middle.
  const walk = async (backwards: boolean) => {
    const seen: number[] = [];
    let from = await find({ limit: 1, backwards });
    for (; from.rows[0]; from = await find({ limit: 1, backwards, start_after_id: seen.at(-1) })) {
      seen.push(from.rows[0].id);
    }
    return seen;
  };
  expect(await walk(false)).toEqual(closed);
  expect(await walk(true)).toEqual([...closed].reverse());

  // Only statements that match both the filter and the search text are found.
  const [one] = all;
  const { subscription_id } = await client.statements.get({ site: SITE, id: one?.id ?? 0 });
  const own = await find({ filter: { subscription_id }, limit: 100 });
  const ofIt = rows.filter((row) => row.subscription_id === subscription_id && row.pdf_stored);
  expect(own.rows.map(({ id }) => id)).toEqual(ofIt.map(({ id }) => id));
  expect((await find({ words: 'ending bal', whole_word: true })).rows).toEqual([]);
  expect((await find({ words: 'ENDING BALANCE', match_case: true })).rows).toEqual([]);
  expect((await find({ words: '…?' })).rows).toEqual([]);
});
