import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { closeStore, openStore } from '../../../src/backend/store/database/open-store.ts';
import { runInTransaction } from '../../../src/backend/store/sqlite/connection.ts';
import { upsertStatements } from '../../../src/backend/store/statements/statement.ts';
import type { PeriodDetail } from '../../../src/contract/periods/periods.ts';
import { addSite, SITE, standardCsv } from '../../backend/bank/bank-bench.ts';
import { createPeriodStatement, type TestStatement } from '../../backend/periods/period-bench.ts';
import { runForDocument, runForError, runInProcess } from '../run-in-process.ts';
import { type CommandEnvironment, cleanUpAfterFile, temporaryFolder } from '../run-tieout.ts';

const afterwards = cleanUpAfterFile();
let at: CommandEnvironment;
const october = ['--period', '2026-10'];

function storeStatements(statements: TestStatement[], readAt: number): void {
  const cache = openStore(join(at.home, 'sites', SITE, 'cache.db'), 'cache');
  runInTransaction(cache, () => upsertStatements(cache, statements.map(createPeriodStatement), readAt));
  closeStore(cache);
}

/** A command that is not allowed in a period state, with its error code. */
type RejectedCommand = readonly [code: 'not_found' | 'conflict' | 'period_locked', ...args: string[]];
const submit = ['submit', '--comment', 'Again.'] as const;
const approve = ['review', '--approve', '--by', 'Bo'] as const;
const reject = ['review', '--reject', '--comment', 'No.'] as const;
const reopen = ['reopen', '--reason', 'Why not.'] as const;
const rejectedCommands: Readonly<Record<string, readonly RejectedCommand[]>> = {
  none: [
    ...[['show'], submit, approve, reject, ['close'], reopen, ['closed-figures'], ['signed-workpaper']],
    ['explain', 'line:1', '--owner', 'Ada'],
  ].map((args): RejectedCommand => ['not_found', ...args]),
  open: [
    ...[['open'], approve, reject, ['close'], reopen].map((args): RejectedCommand => ['conflict', ...args]),
    ['not_found', 'closed-figures'],
    ['not_found', 'signed-workpaper'],
  ],
  submitted: [['open'], submit, ['close'], reopen].map((args): RejectedCommand => ['conflict', ...args]),
  reviewed: [['open'], submit, approve, reopen].map((args): RejectedCommand => ['conflict', ...args]),
  closed: [
    ...[['open'], submit, approve, reject, ['close']].map((args): RejectedCommand => ['conflict', ...args]),
    ['period_locked', 'explain', 'line:1', '--owner', 'Ada'],
    ['not_found', 'closed-figures', '--closing', '9'],
  ],
};

/** Expects that every command that is not allowed in this period state fails without an effect. */
async function expectRefusals(state: string): Promise<void> {
  for (const [code, verb = '', ...args] of rejectedCommands[state] ?? []) {
    const error = await runForError(['period', verb, ...args, ...october], at, 2);
    expect([state, verb, error.code]).toEqual([state, verb, code]);
    expect(error.hint, verb).not.toBeNull();
  }
  const { rows } = await runForDocument<{ rows: { state: string }[] }>(['period', 'list'], at);
  expect(rows.map((row) => row.state)).toEqual(state === 'none' ? [] : [state]);
}

beforeAll(async () => {
  at = { home: temporaryFolder(afterwards), key: undefined };
  addSite(at.home);
  storeStatements([{ id: 7, on: '2026-10-05', cents: 1900 }], 1);
  const file = join(at.home, 'bank.csv');
  writeFileSync(file, standardCsv([['2026-10-06', '19.00', 'CARD', 'ch_x70']]));
  await runForDocument(['bank', 'import', file, '--account', 'Main', '--profile', 'standard'], at);
  await runForDocument(['match', 'run'], at);
});

test('period commands sign and close a month and detect later changes', async () => {
  expect((await runInProcess(['period', 'list'], at)).stderr).toContain(
    'tieout period open --period 2026-10',
  );
  await expectRefusals('none');
  const table = await runForDocument<{ rows: Record<string, unknown>[] }>(
    ['period', 'table', ...october, '--table', 'deferred'],
    at,
  );
  expect(table.rows).toMatchObject([{ statement: 7, amount_in_cents: 1900, billed_in_cents: 1900 }]);
  const customers = await runInProcess(['period', 'table', ...october], at);
  expect(customers.stderr + customers.stdout).toContain('No customer has a balance.');
  expect(await runForDocument<PeriodDetail>(['period', 'open', ...october, '--by', 'Ada'], at)).toMatchObject(
    {
      state: 'open',
    },
  );
  await expectRefusals('open');
  expect(await runForError(['period', 'submit', ...october, '--by', 'Ada'], at, 2)).toMatchObject({
    message: expect.stringContaining('without a comment'),
  });
  await runForDocument(
    ['period', 'submit', ...october, '--by', 'Ada', '--comment', 'Never synced: a test.'],
    at,
  );
  await expectRefusals('submitted');
  expect((await runInProcess(['period', 'review', ...october], at)).code).toBe(2);
  expect((await runInProcess(['period', 'review', ...october, '--reject'], at)).code).toBe(2);
  await runForDocument(['period', 'review', ...october, '--by', 'Bo', '--approve'], at);
  await expectRefusals('reviewed');
  expect(await runForDocument<PeriodDetail>(['period', 'close', ...october], at)).toMatchObject({
    state: 'closed',
    version: 1,
    progress: { explained: true, outstanding: 0 },
  });
  await expectRefusals('closed');
  expect(await runForError(['match', 'undo', '1', '--reason', 'no'], at, 2)).toMatchObject({
    code: 'period_locked',
  });
  const signed = await runInProcess(['period', 'signed-workpaper', ...october], at);
  const closedFigures = await runForDocument<{ figures: string; rows: { kind: string; count: number }[] }>(
    ['period', 'closed-figures', ...october],
    at,
  );
  expect(JSON.parse(signed.stdout)).toMatchObject({ digest: closedFigures.figures });
  expect(closedFigures.rows).toContainEqual(expect.objectContaining({ kind: 'match', count: 1 }));
  const compared = await runInProcess(['period', 'compare'], at);
  expect(compared.code).toBe(0);
  expect(compared.stdout).toContain('statements were not all read again: ');
  expect(compared.stdout).toContain('have not been read again since the closing');

  // A later sync changes an amount. The change is listed, the report stays as signed, and reopening the period resolves
  // it.
  storeStatements([{ id: 7, on: '2026-10-05', cents: 2000 }], 2);
  const local = await runInProcess(['period', 'compare', '--local'], at);
  expect(local.code).toBe(1);
  expect(local.stdout).not.toContain('not all read again');
  await runForDocument(['match', 'run'], at);
  const { rows } = await runForDocument<{ rows: { text: string }[] }>(
    ['period', 'changes', ...october],
    at,
    1,
  );
  expect(rows.map(({ text }) => text)).toContain('Payment 70 changed: amount_in_cents 19.00 → 20.00.');
  expect((await runInProcess(['report', ...october], at)).stdout).toMatch(
    /Payments on these statements +19.00/,
  );
  const shown = await runInProcess(['period', 'show', ...october], at);
  expect(shown.stdout).toContain('Changes since sign-off: 2 rows, 1.00 USD.');
  expect(shown.stdout).toContain('cannot verify them');
  await runForDocument(['period', 'reopen', ...october, '--reason', 'The amount was corrected.'], at);
  const changes = await runInProcess(['period', 'changes'], at);
  expect(changes.code).toBe(0);
  expect(changes.stderr).toContain('have not been read again');
});

test('a reviewer approves on another computer, and the preparer records the review', async () => {
  const other: CommandEnvironment = { home: temporaryFolder(afterwards), key: undefined };
  const folder = temporaryFolder(afterwards);
  const [pack, review] = [join(folder, 'october.zip'), join(folder, 'review.json')];
  await runForDocument(['period', 'submit', ...october, '--by', 'Ada', '--comment', 'Corrected.'], at);
  // Exits with 1 because the statement has no PDF.
  await runForDocument(['pack', ...october, '-o', pack], at, 1);
  expect((await runInProcess(['review', pack, '-o', review], other)).code).toBe(2);
  const signed = await runInProcess(['review', pack, '--approve', '--by', 'Cleo', '-o', review], other);
  expect(signed.code).toBe(0);
  const [, receipt] = /^Receipt: ([0-9a-f]{64})$/m.exec(signed.stdout)!;
  expect(signed.stdout).toContain(`2026-10 of ${SITE}: approved by Cleo`);
  const show = ['period', 'import-review', review];
  expect(await runForDocument<PeriodDetail>(show, at)).toMatchObject({
    state: 'reviewed',
    reviewed: { name: 'Cleo' },
  });
  expect(await runForError(show, at, 2)).toMatchObject({ code: 'conflict' });
  await runForDocument(['pack', ...october, '-o', pack, '--replace'], at, 1);
  const verdict = await runInProcess(['verify', pack, '--receipt', receipt!.toUpperCase()], other);
  expect(verdict.code).toBe(0);
  expect(verdict.stdout).toContain('The receipt proves');
});
