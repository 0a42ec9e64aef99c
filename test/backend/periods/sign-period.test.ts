import { expect, it, onTestFinished } from 'vitest';
import { SITE, standardCsv } from '../bank/bench.ts';
import { openPeriodBench, type TestStatement } from './bench.ts';

const on = { site: SITE };
const october = { site: SITE, period: '2026-10' };
/** So many that their workpaper is made in several turns. */
const STATEMENTS = 1500;
const ROUNDS = 3;

it('signs the figures as of its audit log entry, even if records change while they are computed', async () => {
  const bench = await openPeriodBench();
  onTestFinished(() => bench.close());
  const { client } = bench;
  const statements = Array.from(
    { length: STATEMENTS },
    (_, at): TestStatement => ({ id: at + 1, on: '2026-10-05', cents: 1900 }),
  );
  bench.statements(...statements);
  await bench.import(standardCsv([['2026-10-09', '3.00', 'NOBODY KNOWS']]));
  await bench.match();
  await client.periods.open(october);
  const explain = (explanation: string | null) =>
    client.periods.explain({ ...october, items: ['line:1'], explanation });
  const digestNow = async () => (await client.workpapers.get(october)).digest;

  // The figures are of two kinds: with the line explained, and without.
  const digests = [await digestNow()];
  await explain('Asked the bank.');
  digests.push(await digestNow());
  await explain(null);
  expect(await digestNow()).toBe(digests[0]);
  expect(digests[1]).not.toBe(digests[0]);

  for (let round = 0; round < ROUNDS; round++) {
    let signed = false;
    const submitting = client.periods
      .submit({ ...october, by: 'Ada Byron', comment: 'As far as is known.' })
      .finally(() => {
        signed = true;
      });
    for (let odd = true; !signed; odd = !odd) await explain(odd ? 'Asked the bank.' : null);
    const { submitted } = await submitting;
    const { rows } = await client.audit.list({ ...on, limit: 500 });
    const place = rows.findIndex(({ action }) => action === 'periods.submit');
    const before = rows.slice(place).find(({ action }) => action === 'periods.explain');
    const explained = before !== undefined && before.reason !== null && before.reason !== '';
    expect(submitted?.figures).toBe(digests[Number(explained)]);
    await client.periods.review({ ...october, by: 'Bo Diddley', verdict: 'reject', comment: 'Once more.' });
  }
});
