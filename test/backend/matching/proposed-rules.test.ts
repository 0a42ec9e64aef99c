import { afterEach, beforeEach, expect, it } from 'vitest';
import { type BankBench, openBankBench, SITE, standardCsv } from '../bank/bank-bench.ts';

let bench: BankBench;
beforeEach(async () => {
  bench = await openBankBench();
  bench.replacePayments([
    { id: 11, amount: -1250, on: '2026-05-02', kind: 'refund', gateway: 're_1f70000011' },
    { id: 12, amount: -990, on: '2026-05-05', kind: 'refund', customer: 'Vault Storage' },
  ]);
  await bench.import(
    standardCsv([
      ['2026-05-01', '-12.50', 'VAULT STORAGE 0501/17'],
      ['2026-06-01', '-13.75', 'VAULT STORAGE 0601/18'],
      ['2026-07-01', '-12.50', 'VAULT STORAGE 0701/19'],
      ['2026-08-01', '-14.00', 'VAULT STORAGE 0801/20'],
      ['2026-05-06', '-9.90', 'VAULT STORAGE'],
      ['2026-05-03', '-12.50', 'VAULT STORAGE', 're_1f70000011'],
      ['2026-07-02', '12.50', 'VAULT STORAGE 0702'],
      ['2026-07-03', '-3.00', 'OTHER CHARGE 99'],
    ]),
  );
  await bench.match();
  await bench.client.match.make({ site: SITE, lines: [{ id: 5 }], transactions: [{ id: 12 }] });
});
afterEach(() => bench.close());

const assign = (line: number, category: string) =>
  bench.client.match.writeOff({ site: SITE, lines: [line], category, reason: 'rent of the vault' });
const propose = () => bench.client.match.proposedRules({ site: SITE });

it('proposes no rule after one decision, nor after two different ones', async () => {
  await assign(1, 'rent');
  await assign(8, 'rent');
  expect(await propose()).toEqual([]);
  await assign(2, 'fee');
  expect(await propose()).toEqual([]);
});

it('proposes a rule after two equal decisions, with its effect on the whole history, and applies nothing', async () => {
  const { client } = bench;
  await assign(1, 'rent');
  await assign(2, 'rent');
  await assign(3, 'fee');
  const [proposal, ...others] = await propose();
  expect(others).toEqual([]);
  expect(proposal).toMatchObject({
    title: 'Vault storage',
    action: { do: 'categorize', category: 'rent' },
    // Lines 4 and 6 are open, and line 7 is money in.
    ...{ decisions: 2, right: 2, wrong: 2, lines: 2 },
  });
  const { id: _id, decisions: _decisions, lines: _lines, right: _right, wrong: _wrong, ...rule } = proposal!;
  const effect = await client.match.tryRule({ site: SITE, ...rule });
  const listIds = (rows: readonly { id: number }[] = []) => rows.map(({ id }) => id);
  expect(listIds(effect.right?.rows)).toEqual([1, 2]);
  // A person chose another category for line 3, and line 5 belongs to a refund.
  expect(listIds(effect.wrong?.rows)).toEqual([3, 5]);
  expect(await client.match.rules({ site: SITE })).toEqual([]);
  await bench.match();
  expect((await client.bank.getLine({ site: SITE, id: 4 })).state).toBe('open');

  await client.match.saveRule({ site: SITE, ...rule });
  expect(await propose()).toEqual([]);
  await bench.match();
  expect((await client.bank.getLine({ site: SITE, id: 4 })).state).toBe('matched');
});

it('counts a line as wrong if a person undid the category, and proposes to ignore ignored lines', async () => {
  const { client } = bench;
  for (const line of [1, 2, 4]) await assign(line, 'ignored');
  const [match] = (await client.match.list({ site: SITE, filter: { line: 4 } })).rows;
  await client.match.undo({ site: SITE, ids: [match!.id], reason: 'not ours to ignore' });
  expect(await propose()).toMatchObject([{ action: { do: 'ignore' }, decisions: 2, right: 2, wrong: 2 }]);
});
