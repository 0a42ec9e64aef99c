import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { closeStore, openStore } from '../../../src/backend/store/database/open-store.ts';
import type { BankLine } from '../../../src/contract/bank/bank-lines.ts';
import type { MatchGroup } from '../../../src/contract/matching/match-groups.ts';
import type { PaymentTrail } from '../../../src/contract/matching/payment-trail.ts';
import { addSite, insertPayments } from '../../backend/bank/bank-bench.ts';
import { runForDocument, runForError, runInProcess } from '../run-in-process.ts';
import { type CommandEnvironment, cleanUpAfterFile, temporaryFolder } from '../run-tieout.ts';

const afterwards = cleanUpAfterFile();
let at: CommandEnvironment;
let csv: string;

beforeAll(async () => {
  at = { home: temporaryFolder(afterwards) };
  csv = join(temporaryFolder(afterwards), 'wires.csv');
  addSite(at.home);
  const cache = openStore(join(at.home, 'sites', 'acme', 'cache.db'), 'cache');
  insertPayments(cache, [
    { id: 60_000_041, statement: 4_400_041, amount: 7310, on: '2026-06-02', customer: 'Hedda Brandvold' },
    { id: 60_000_042, statement: 4_400_042, amount: 2680, on: '2026-06-03', customer: 'Ruben Osei' },
  ]);
  closeStore(cache);
  const rows = [
    '2026-06-04,73.10,USD,Linus Hartwell,Transfer,4400041',
    '2026-06-05,26.80,USD,Ruben Osei,Transfer,',
    '2026-06-06,26.80,USD,Ruben Osei,Transfer again,',
  ];
  writeFileSync(csv, `${['Date,Amount,Currency,Counterparty,Description,Reference', ...rows].join('\n')}\n`);
  const imported = await runInProcess(['bank', 'import', csv, '--account', 'Wires'], at);
  expect(imported, imported.stderr).toMatchObject({ code: 0 });
  await runForDocument(['match', 'run'], at);
});

const listMatches = async (status: string) =>
  (await runForDocument<{ rows: MatchGroup[] }>(['match', 'list', '--status', status], at)).rows;

test('the payer column of a file with the standard columns is imported and prevents a wrong match', async () => {
  const { rows } = await runForDocument<{ rows: BankLine[] }>(['bank', 'lines'], at);
  expect(rows.map(({ counterparty }) => counterparty).sort()).toEqual([
    'Linus Hartwell',
    'Ruben Osei',
    'Ruben Osei',
  ]);
  expect(await listMatches('confirmed')).toEqual([]);
  const [suggested] = await listMatches('suggested');
  const { stdout } = await runInProcess(['match', 'show', String(suggested?.id)], at);
  expect(stdout).toMatch(/evidence for the match\s+The line quotes statement 4400041\.\s+The amounts agree/);
  expect(stdout).toMatch(/evidence against the match\s+The line names another payer\./);
});

test('a match without a payment is not confirmed, and the error names what to do', async () => {
  const open = (await listMatches('ambiguous')).find(({ transactions }) => transactions.length === 0);
  const { stdout } = await runInProcess(['match', 'show', String(open?.id)], at);
  expect(stdout).toContain('1 other line or payment fits equally well.');
  const error = await runForError(['match', 'confirm', String(open?.id)], at, 2);
  expect(error).toMatchObject({
    message: `Match ${open?.id} has no payment.`,
    hint: 'Match its lines to a payment manually, or assign them to a category.',
  });
});

test('two equal decisions propose a rule with its effect, which applies only after it is saved', async () => {
  const file = csv.replace('wires', 'charges');
  const charges = ['01', '02', '03'].map((n) => `2026-07-${n},-1.9${n},USD,,Wire charge ${n}/26,`);
  writeFileSync(
    file,
    `${['Date,Amount,Currency,Counterparty,Description,Reference', ...charges].join('\n')}\n`,
  );
  await runForDocument(['bank', 'import', file, '--account', 'Wires'], at);
  const { rows } = await runForDocument<{ rows: BankLine[] }>(['bank', 'lines', '--search', 'charge'], at);
  const [last, second, first] = rows.map(({ id }) => String(id)) as [string, string, string];
  const assign = (line: string) =>
    runForDocument(
      ['match', 'categorize', '--lines', line, '--category', 'fee', '--reason', 'bank charge'],
      at,
    );
  const listProposals = async () =>
    (await runForDocument<{ rows: { id: string }[] }>(['match', 'proposed-rules'], at)).rows;
  await assign(first);
  expect(await listProposals()).toEqual([]);
  await assign(second);
  const [proposal] = await listProposals();
  expect(proposal).toMatchObject({ title: 'Wire charge', decisions: 2, right: 2, wrong: 0, lines: 1 });
  const { stdout } = await runInProcess(['match', 'proposed-rule', proposal!.id], at);
  expect(stdout).toMatch(/2 lines right:.*\n.*Wire charge 01\/26\n.*Wire charge 02\/26/);
  expect(stdout).toMatch(/0 lines wrong/);
  expect(stdout).toMatch(/1 line unmatched:.*\n.*Wire charge 03\/26/);
  const readState = async () =>
    (await runForDocument<{ rows: BankLine[] }>(['bank', 'lines', '--search', 'charge 03'], at)).rows[0];
  await runForDocument(['match', 'run'], at);
  expect(await readState()).toMatchObject({ id: Number(last), state: 'open' });
  await runForDocument(['match', 'save-proposed-rule', proposal!.id], at);
  await runForDocument(['match', 'run'], at);
  expect(await readState()).toMatchObject({ id: Number(last), state: 'matched' });
  expect(await listProposals()).toEqual([]);
  expect((await runForError(['match', 'proposed-rule', proposal!.id], at, 2)).hint).toContain(
    'proposed-rules',
  );
});

test('the trail of a payment is shown, and a record of an unknown kind is refused', async () => {
  const { steps, payment } = await runForDocument<PaymentTrail>(['match', 'trail', 'payment:60000042'], at);
  expect(payment).toBe(60_000_042);
  expect(steps.map(({ step }) => step)).toContain('ledger-line');
  const { code, stdout } = await runInProcess(['match', 'trail', 'payment:60000042'], at);
  expect(code).toBe(0);
  expect(stdout).toContain('The payment is in no imported payout report.');
  expect(await runForError(['match', 'trail', 'invoice:3'], at, 2)).toMatchObject({
    message: '“invoice:3” does not name a record of a trail.',
  });
});
