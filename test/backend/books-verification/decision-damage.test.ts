import { appendFileSync, readdirSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { closeStore, openStore } from '../../../src/backend/store/database/open-store.ts';
import type { WritableDb } from '../../../src/backend/store/sqlite/connection.ts';
import type { BackendClient } from '../../../src/contract/index.ts';
import { SITE, standardCsv } from '../bank/bank-bench.ts';
import { openPeriodBench, type PeriodBench } from '../periods/period-bench.ts';

const atSite = { site: SITE };
const march = { site: SITE, period: '2026-03' };
const april = { site: SITE, period: '2026-04' };

let bench: PeriodBench;
let client: BackendClient;
/** The only exception, and the only item that is outstanding in April. */
let exception: number;
let item: string;

beforeEach(async () => {
  bench = await openPeriodBench();
  client = bench.client;
  bench.addStatements({ id: 31, on: '2026-03-11', cents: 7300 }, { id: 32, on: '2026-04-02', cents: 2650 });
  await bench.import(
    standardCsv([
      ['2026-03-12', '73.00', 'CARD', 'ch_x310'],
      ['2026-04-20', '11.11', 'WHO IS THIS'],
    ]),
  );
  await bench.match();
  await client.periods.open(march);
  await client.comments.add({
    site: march.site,
    subjects: [{ kind: 'period', id: march.period }],
    text: 'The bank file came late.',
  });
  await bench.sign('2026-03');
  await client.periods.open(april);
  await client.periods.comment({ ...april, currency: 'USD', figure: 'S1.charges', text: 'Why so much?' });
  await client.periods.addChecklistStep({ ...april, title: 'Accrue the rent' });
  await client.periods.changeChecklistStep({ ...april, step: 'own:1', done: true, by: 'Ada' });
  const { rows } = await client.workpapers.items({ ...april });
  item = rows[0]!.key;
  await client.periods.explain({ ...april, items: [item], explanation: 'Asked the bank.', owner: 'Ada' });
  changeDatabase('cache', 'UPDATE txn SET amount_in_cents = amount_in_cents + 5 WHERE statement_id = 32');
  await bench.waitForJob((await client.check.start(atSite)).job);
  exception = (await client.exceptions.list(atSite)).rows[0]!.id;
  await client.exceptions.assign({ ...atSite, ids: [exception], assigned: 'Bo' });
  const accounts = [
    { account: '6800', area: 'fees' as const },
    { account: '3500', area: null },
  ];
  await client.ledger.mapAccounts({ ...atSite, accounts });
  await client.ledger.mapAccounts({ ...atSite, accounts: [{ account: '3500', area: 'clearing' }] });
  const lines = [
    { account: '6800', debit_in_cents: 480 },
    { account: '3500', credit_in_cents: 480 },
  ];
  const { id } = await client.journal.add({ ...april, memo: 'Accrued fees', lines });
  const other = await client.journal.add({ ...april, memo: 'Entered twice', lines });
  await client.journal.approve({ ...atSite, ids: [id] });
  await client.journal.discard({ ...atSite, ids: [other.id], reason: 'Duplicate.' });
  await client.comments.add({
    ...atSite,
    subjects: [{ kind: 'exception', id: String(exception) }],
    text: 'Waits for the customer.',
  });
});
afterEach(() => bench.close());

/** Changes a database without the app's constraints, like another program. */
function changeDatabase(kind: 'books' | 'cache', sql: string): void {
  const db = openStore(join(bench.home, 'sites', SITE, `${kind}.db`), kind) as WritableDb;
  const triggers = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").pluck().all();
  if (kind === 'books') for (const name of triggers) db.exec(`DROP TRIGGER ${name}`);
  db.exec(sql);
  closeStore(db);
}

const findDamage = async (period: { site: string; period: string }) =>
  (await client.workpapers.get(period)).qualifications.filter(({ kind }) => kind === 'damaged');

it('finds no damage in books that only Tieout has changed', async () => {
  expect(await findDamage(march)).toEqual([]);
  expect(await findDamage(april)).toEqual([]);
  expect(await client.audit.verify(atSite)).toMatchObject({ ok: true, differences: [] });
});

it('names an imported file that was changed or deleted', async () => {
  const check = async () =>
    (await client.app.doctor({ quick: false })).find(
      ({ name }) => name === `Imported and attached files of ${SITE}`,
    );
  expect(await check()).toMatchObject({ ok: true, message: 'Intact: 1 file.' });
  const [file] = readdirSync(join(bench.home, 'sites', SITE, 'sources'), {
    recursive: true,
    encoding: 'utf8',
  })
    .map((name) => join(bench.home, 'sites', SITE, 'sources', name))
    .filter((path) => statSync(path).isFile());
  appendFileSync(file!, ' ');
  expect(await check()).toMatchObject({ ok: false, message: expect.stringMatching(/ was changed\.$/) });
  rmSync(file!);
  expect(await check()).toMatchObject({ ok: false, message: expect.stringMatching(/ is missing\.$/) });
});

it.each([
  [
    'the reviewer’s name',
    "UPDATE period_entry SET name = 'Eve' WHERE action = 'approved'",
    'the history of 2026-03',
  ],
  [
    'the time of a sign-off',
    "UPDATE period_entry SET at = at - 1 WHERE action = 'closed'",
    'the history of 2026-03',
  ],
  ['a comment on a period', "DELETE FROM comment WHERE kind = 'period'", 'the comments on period 2026-03'],
  [
    'a certification statement',
    "UPDATE period_entry SET statements = '[]' WHERE action = 'submitted'",
    'the history of 2026-03',
  ],
  [
    'a comment on a figure',
    `UPDATE period_entry SET about = '{"comment":null,"currency":"USD","figure":"S1.paid"}' WHERE action = 'commented'`,
    'the history of 2026-04',
  ],
  [
    'the order of two entries',
    `UPDATE period_entry SET seq = -seq WHERE period_id = 1 AND seq IN (1, 2);
     UPDATE period_entry SET seq = 3 + seq WHERE period_id = 1 AND seq < 0`,
    'the history of 2026-03',
  ],
  [
    'a closed month that was set back to open with all its rows',
    `UPDATE period SET state = 'open', version = 0, submitted = NULL, reviewed = NULL, closed = NULL WHERE period = '2026-03';
     DELETE FROM period_entry WHERE action IN ('submitted', 'approved', 'closed');
     DELETE FROM closed_figures_item; DELETE FROM closed_figures_chunk; DELETE FROM closed_figures`,
    'the history of 2026-03',
  ],
  ['an explanation', "UPDATE item_explanation SET explanation = 'All fine.'", 'the explanations of '],
  ['a deleted explanation', 'DELETE FROM item_explanation', 'the explanations of '],
  [
    'who did a checklist step',
    "UPDATE checklist_step SET done_by = 'Eve'",
    'the checklist step 2026-04 own:1',
  ],
  ['a comment', "UPDATE comment SET text = 'Done.' WHERE kind = 'exception'", 'the comments on exception'],
  [
    'an approved amount',
    'UPDATE journal_line SET debit_in_cents = 481 WHERE entry_id = 1 AND debit_in_cents > 0',
    'journal entry',
  ],
  ['the approver', "UPDATE journal_step SET user = 'eve' WHERE action = 'approved'", 'journal entry 1'],
  [
    'a number',
    "UPDATE journal_entry SET number = 'T2026-04-0009' WHERE number IS NOT NULL",
    'journal entry 1',
  ],
  [
    'a mapping',
    "UPDATE ledger_account SET area = 'cash' WHERE area = 'fees'",
    'the mapping of ledger account',
  ],
  ['the checksum of a source file', `UPDATE bank_import SET sha256 = '${'ab'.repeat(32)}'`, 'bank import 1'],
  ['the name of a source file', "UPDATE bank_import SET file = 'april.csv'", 'bank import 1'],
  ['the user of an import', "UPDATE bank_import SET user = 'eve'", 'bank import 1'],
  ['the number of failed rows', 'UPDATE bank_import SET rows_failed = rows_failed + 1', 'bank import 1'],
  ['a deleted decision', "DELETE FROM exception_entry WHERE action = 'assigned'", 'the history of exception'],
])('names %s that was changed without the app', async (_, sql, subject) => {
  changeDatabase('books', sql);
  const message = expect.stringContaining(`Damaged or tampered with: ${subject}`);
  const verdict = await client.audit.verify(atSite);
  expect(verdict).toMatchObject({ ok: false, reason: null, differences: [message] });
  expect((await client.workpapers.get(april)).qualifications).toContainEqual({
    kind: 'damaged',
    message,
  });
  const checks = await client.app.doctor({ quick: true });
  expect(checks.find(({ name }) => name === `Audit log of ${SITE}`)).toMatchObject({ ok: false, message });
  await expect(client.periods.submit({ ...april, comment: 'Please review.' })).rejects.toThrow();
});
