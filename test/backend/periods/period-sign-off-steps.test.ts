import { expect, it, onTestFinished } from 'vitest';
import { SITE, standardCsv } from '../bank/bank-bench.ts';
import { openPeriodBench, type TestStatement } from './period-bench.ts';

const atSite = { site: SITE };
const october = { site: SITE, period: '2026-10' };
/** Enough statements that their workpaper takes several time slices. */
const STATEMENTS = 1500;
const REPETITIONS = 3;

it('signs the figures as of its audit log entry, even if records change while they are computed', async () => {
  const bench = await openPeriodBench();
  onTestFinished(() => bench.close());
  const { client } = bench;
  const statements = Array.from(
    { length: STATEMENTS },
    (_, at): TestStatement => ({ id: at + 1, on: '2026-10-05', cents: 1900 }),
  );
  bench.addStatements(...statements);
  await bench.import(standardCsv([['2026-10-09', '3.00', 'NOBODY KNOWS']]));
  await bench.match();
  await client.periods.open(october);
  const explainLine = (explanation: string | null) =>
    client.periods.explain({ ...october, items: ['line:1'], explanation });
  const getDigest = async () => (await client.workpapers.get(october)).digest;

  // There are two possible digests: with and without the line explained.
  const digests = [await getDigest()];
  await explainLine('Asked the bank.');
  digests.push(await getDigest());
  await explainLine(null);
  expect(await getDigest()).toBe(digests[0]);
  expect(digests[1]).not.toBe(digests[0]);

  for (let round = 0; round < REPETITIONS; round++) {
    let signed = false;
    const submitting = client.periods
      .submit({ ...october, by: 'Ada Byron', comment: 'As far as is known.' })
      .finally(() => {
        signed = true;
      });
    for (let isOdd = true; !signed; isOdd = !isOdd) await explainLine(isOdd ? 'Asked the bank.' : null);
    const { submitted } = await submitting;
    const { rows } = await client.audit.list({ ...atSite, limit: 500 });
    const position = rows.findIndex(({ action }) => action === 'periods.submit');
    const before = rows.slice(position).find(({ action }) => action === 'periods.explain');
    const explained = before !== undefined && before.reason !== null && before.reason !== '';
    expect(submitted?.figures).toBe(digests[Number(explained)]);
    await client.periods.review({ ...october, by: 'Bo Diddley', verdict: 'reject', comment: 'Once more.' });
  }
});
