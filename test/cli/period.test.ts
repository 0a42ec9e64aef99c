import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { commit } from '../../src/backend/store/database.ts';
import { closeStore, openStore } from '../../src/backend/store/open.ts';
import { upsertStatements } from '../../src/backend/store/statements/statement.ts';
import type { PeriodDetail } from '../../src/contract/periods.ts';
import { addSite, SITE, standardCsv } from '../backend/bank/bench.ts';
import { statementOf, type TestStatement } from '../backend/periods/bench.ts';
import { documentHere, errorHere, runHere } from './here.ts';
import { afterTheFile, type Surroundings, temporaryFolder } from './tieout.ts';

const afterwards = afterTheFile();
let at: Surroundings;
const october = ['--period', '2026-10'];

function serve(statements: TestStatement[], readAt: number): void {
  const cache = openStore(join(at.home, 'sites', SITE, 'cache.db'), 'cache');
  commit(cache, () => upsertStatements(cache, statements.map(statementOf), readAt));
  closeStore(cache);
}

/** A command that a state refuses, and how. */
type Refused = readonly [code: 'not_found' | 'conflict' | 'period_locked', ...args: string[]];
const submit = ['submit', '--comment', 'Again.'] as const;
const approve = ['review', '--approve', '--by', 'Bo'] as const;
const reject = ['review', '--reject', '--comment', 'No.'] as const;
const reopen = ['reopen', '--reason', 'Why not.'] as const;
const refusedWhen: Readonly<Record<string, readonly Refused[]>> = {
  none: [
    ...[
      ['show'],
      submit,
      approve,
      reject,
      ['close'],
      reopen,
      ['note', '--text', 'So.'],
      ['seal'],
      ['signed'],
    ],
    ['explain', 'line:1', '--owner', 'Ada'],
  ].map((args): Refused => ['not_found', ...args]),
  open: [
    ...[['open'], approve, reject, ['close'], reopen].map((args): Refused => ['conflict', ...args]),
    ['not_found', 'seal'],
    ['not_found', 'signed'],
  ],
  submitted: [['open'], submit, ['close'], reopen].map((args): Refused => ['conflict', ...args]),
  reviewed: [['open'], submit, approve, reopen].map((args): Refused => ['conflict', ...args]),
  closed: [
    ...[['open'], submit, approve, reject, ['close']].map((args): Refused => ['conflict', ...args]),
    ['period_locked', 'explain', 'line:1', '--owner', 'Ada'],
    ['not_found', 'seal', '--closing', '9'],
  ],
};

/** What a state refuses is wrong to ask for: the same in every command, and nothing is done. */
async function refuses(state: string): Promise<void> {
  for (const [code, verb = '', ...args] of refusedWhen[state] ?? []) {
    const error = await errorHere(['period', verb, ...args, ...october], at, 2);
    expect([state, verb, error.code]).toEqual([state, verb, code]);
    expect(error.hint, verb).not.toBeNull();
  }
  const { rows } = await documentHere<{ rows: { state: string }[] }>(['period', 'list'], at);
  expect(rows.map((row) => row.state)).toEqual(state === 'none' ? [] : [state]);
}

beforeAll(async () => {
  at = { home: temporaryFolder(afterwards), key: undefined };
  addSite(at.home);
  serve([{ id: 7, on: '2026-10-05', cents: 1900 }], 1);
  const file = join(at.home, 'bank.csv');
  writeFileSync(file, standardCsv([['2026-10-06', '19.00', 'CARD', 'ch_x70']]));
  await documentHere(['bank', 'import', file, '--account', 'Main', '--profile', 'standard'], at);
  await documentHere(['match', 'run'], at);
});

test('a month is signed from the command line, and what is signed holds', async () => {
  expect((await runHere(['period', 'list'], at)).stderr).toContain('tieout period open --period 2026-10');
  await refuses('none');
  expect(await documentHere<PeriodDetail>(['period', 'open', ...october, '--by', 'Ada'], at)).toMatchObject({
    state: 'open',
  });
  await refuses('open');
  expect(await errorHere(['period', 'submit', ...october, '--by', 'Ada'], at, 2)).toMatchObject({
    message: expect.stringContaining('without a comment'),
  });
  await documentHere(
    ['period', 'submit', ...october, '--by', 'Ada', '--comment', 'Never synced: a test.'],
    at,
  );
  await refuses('submitted');
  expect((await runHere(['period', 'review', ...october], at)).code).toBe(2);
  expect((await runHere(['period', 'review', ...october, '--reject'], at)).code).toBe(2);
  await documentHere(['period', 'review', ...october, '--by', 'Bo', '--approve'], at);
  await refuses('reviewed');
  expect(await documentHere<PeriodDetail>(['period', 'close', ...october], at)).toMatchObject({
    state: 'closed',
    version: 1,
    progress: { explained: true, outstanding: 0 },
  });
  await refuses('closed');
  expect(await errorHere(['match', 'undo', '1', '--reason', 'no'], at, 2)).toMatchObject({
    code: 'period_locked',
  });
  const signed = await runHere(['period', 'signed', ...october], at);
  const seal = await documentHere<{ figures: string; rows: { kind: string; count: number }[] }>(
    ['period', 'seal', ...october],
    at,
  );
  expect(JSON.parse(signed.stdout)).toMatchObject({ digest: seal.figures });
  expect(seal.rows).toContainEqual(expect.objectContaining({ kind: 'match', count: 1 }));
  expect((await runHere(['period', 'compare'], at)).code).toBe(0);

  // A later sync brings another amount: it is found, the report stays as signed, and a reopening lets go of it.
  serve([{ id: 7, on: '2026-10-05', cents: 2000 }], 2);
  expect((await runHere(['period', 'compare'], at)).code).toBe(1);
  await documentHere(['match', 'run'], at);
  const { rows } = await documentHere<{ rows: { text: string }[] }>(['period', 'drift', ...october], at, 1);
  expect(rows.map(({ text }) => text)).toContain('Payment 70 changed: amount_in_cents 19.00 → 20.00.');
  expect((await runHere(['report', ...october], at)).stdout).toMatch(/Payments in these statements +19.00/);
  const shown = await runHere(['period', 'show', ...october], at);
  expect(shown.stdout).toContain('Drift since sign-off: 2 rows, 1.00 USD.');
  expect(shown.stdout).toContain('assertions, no proof');
  await documentHere(['period', 'reopen', ...october, '--reason', 'The amount was corrected.'], at);
  expect((await runHere(['period', 'drift'], at)).code).toBe(0);
});
