import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toContractError } from '../../../src/contract/index.ts';
import { SITE, standardCsv } from '../bank/bank-bench.ts';
import { expectInvariants } from '../matching/books-invariants.ts';
import { BooksModel, type ModelStatement, PERIODS } from './books-model.ts';
import { openPeriodBench, type PeriodBench } from './period-bench.ts';

/**
 * Random sequences of period commands, syncs, imports, runs and decisions. After each step, the real databases agree with
 * a simple model on locked and late rows, changes since sign-off and rejected steps. `RUNS=200` for a long run.
 */
const RUNS = Number(process.env['RUNS'] ?? 4);
const STEPS = 16;

type Command = fc.AsyncCommand<BooksModel, PeriodBench, false>;

/** Creates a command that the model expects to succeed or to fail with a code. */
function createCommand(
  text: string,
  predict: (plain: BooksModel) => string | null,
  real: (bench: PeriodBench) => Promise<unknown>,
  updateModel: (plain: BooksModel) => void = () => {},
  check: (plain: BooksModel) => boolean = () => true,
): Command {
  return {
    check,
    toString: () => text,
    async run(plain, bench) {
      const code = predict(plain);
      const error = await real(bench).then(
        () => null,
        (error: unknown) => toContractError(error).code,
      );
      expect([text, error]).toEqual([text, code]);
      if (code === null) updateModel(plain);
      await expectAgreement(plain, bench);
    },
  };
}

const month = fc.constantFrom(...PERIODS);
const day = fc
  .tuple(month, fc.integer({ min: 1, max: 28 }))
  .map(([of, at]) => `${of}-${String(at).padStart(2, '0')}`);
const cents = fc.constantFrom(1900, 1900, 2500, 4900);
const on = (period: string) => ({ site: SITE, period });
const reason = 'A test.';

const openPeriod = month.map((period) =>
  createCommand(
    `open ${period}`,
    (plain) => (plain.canOpen(period) ? null : 'conflict'),
    (bench) => bench.client.periods.open(on(period)),
    (plain) => plain.states.set(period, 'open'),
  ),
);
const submitPeriod = month.map((period) =>
  createCommand(
    `submit ${period}`,
    (plain) => (!plain.states.has(period) ? 'not_found' : plain.canSign(period) ? null : 'conflict'),
    (bench) => bench.client.periods.submit({ ...on(period), by: 'Ada', comment: reason }),
    (plain) => plain.states.set(period, 'submitted'),
  ),
);
const rejectPeriod = month.map((period) =>
  createCommand(
    `reject ${period}`,
    (plain) =>
      !plain.states.has(period) ? 'not_found' : plain.states.get(period) === 'submitted' ? null : 'conflict',
    (bench) => bench.client.periods.review({ ...on(period), by: 'Bo', verdict: 'reject', comment: reason }),
    (plain) => plain.states.set(period, 'open'),
  ),
);
const signPeriod = fc.constant(null).map(() => {
  let lists: unknown;
  return createCommand(
    'sign the month that is due',
    () => null,
    async (bench) => {
      const { periods } = await bench.client.periods.list({ site: SITE });
      const due = periods
        .filter(({ state }) => state === 'open')
        .map(({ period }) => period)
        .sort()[0]!;
      lists = await bench.readReportLists(due);
      expect((await bench.sign(due)).state).toBe('done');
    },
    (plain) => {
      const due = plain.getDuePeriod()!;
      plain.close(due);
      plain.signed.get(due)!.lists = lists;
    },
    (plain) => plain.getDuePeriod() !== null && plain.canSign(plain.getDuePeriod()!),
  );
});
const reopenPeriod = month.map((period) =>
  createCommand(
    `reopen ${period}`,
    (plain) => (!plain.states.has(period) ? 'not_found' : plain.canReopen(period) ? null : 'conflict'),
    (bench) => bench.client.periods.reopen({ ...on(period), reason }),
    (plain) => plain.reopen(period),
  ),
);

/** Syncs a changed statement and runs the matching. */
const syncStatement = fc
  .tuple(fc.integer({ min: 1, max: 6 }), day, fc.option(cents))
  .map(([id, date, amount]) => {
    let given: ModelStatement | null = null;
    return createCommand(
      amount === null
        ? `statement ${id} vanishes`
        : `statement ${id} of ${amount}, dated ${date} where it is new`,
      (plain) => {
        given =
          amount === null
            ? null
            : { id, on: plain.service.get(id)?.on ?? plain.days.get(id) ?? date, cents: amount };
        return null;
      },
      async (bench) => {
        if (given === null) bench.removeStatements(id);
        else bench.addStatements(given);
        await bench.match();
      },
      (plain) => plain.setStatement(id, given),
    );
  });
const importLines = fc
  .array(fc.tuple(day, cents, fc.integer({ min: 1, max: 6 })), { minLength: 1, maxLength: 3 })
  .map((rows) => {
    const file = standardCsv(
      rows.map(([date, amount, id], at) => [
        date,
        (amount / 100).toFixed(2),
        `CARD ${at}`,
        id % 2 ? `ch_x${id}0` : '',
      ]),
    );
    return createCommand(
      `import ${rows.map(([date, amount]) => `${date} ${amount}`).join(', ')}`,
      () => null,
      (bench) => bench.import(file, { name: 'some.csv' }),
    );
  });
const picked = fc.nat(20);
const removeImport = picked.map((pick) =>
  createCommand(
    `remove an import (${pick})`,
    (plain) => plain.predictRemoval(pick),
    async (bench) => {
      const { rows } = await bench.client.bank.imports({ site: SITE, state: ['done'], limit: 1000 });
      const ids = rows.map(({ id }) => id).sort((a, b) => a - b);
      await bench.waitForJob(
        (await bench.client.bank.removeImport({ site: SITE, id: ids[pick % ids.length]!, reason })).job,
      );
    },
    undefined,
    (plain) => plain.imports.length > 0,
  ),
);
const undoMatch = picked.map((pick) =>
  createCommand(
    `undo a match (${pick})`,
    (plain) => plain.predictUndo(pick),
    async (bench) => {
      const { rows } = await bench.client.match.list({
        site: SITE,
        filter: { status: ['confirmed'] },
        limit: 1000,
      });
      const ids = rows.map(({ id }) => id).sort((a, b) => a - b);
      await bench.client.match.undo({ site: SITE, ids: [ids[pick % ids.length]!], reason });
    },
    undefined,
    (plain) => plain.groups.size > 0,
  ),
);
const writeOffLine = picked.map((pick) =>
  createCommand(
    `write a line off (${pick})`,
    () => null,
    async (bench) => {
      const { rows } = await bench.client.bank.lines({
        site: SITE,
        filter: { state: ['open'] },
        limit: 1000,
      });
      const line = rows[pick % Math.max(1, rows.length)];
      if (line) await bench.client.match.writeOff({ site: SITE, lines: [line.id], category: 'fee', reason });
    },
  ),
);
const runMatching = fc.constant(
  createCommand(
    'a run',
    () => null,
    (bench) => bench.match(),
  ),
);
const compareChanges = fc.constant(
  createCommand(
    'everything is compared',
    () => null,
    async (bench) => bench.waitForJob((await bench.client.periods.compare({ site: SITE })).job),
  ),
);
const restartBackend = fc.constant(
  createCommand(
    'a restart',
    () => null,
    (bench) => bench.reopen(),
  ),
);

/** Asserts that the real databases agree with the model. */
async function expectAgreement(plain: BooksModel, bench: PeriodBench): Promise<void> {
  const books = bench.books();
  expectInvariants(books);
  plain.readBooks(books);
  const list = await bench.client.periods.list({ site: SITE });
  expect(Object.fromEntries(list.periods.map(({ period, state }) => [period, state]))).toEqual(
    Object.fromEntries(plain.states),
  );
  expect(list.locked_until).toBe(plain.lockedUntil());
  for (const [period, signed] of plain.signed) {
    const now = await bench.client.periods.signed({ site: SITE, period });
    signed.json ??= now.json;
    expect(now.json === signed.json, `${period} as signed`).toBe(true);
    expect([period, await bench.readReportLists(period)]).toEqual([period, signed.lists]);
    const { rows } = await bench.client.periods.signOffChanges({ site: SITE, period, limit: 1000 });
    expect([period, rows.map(({ kind, row, change }) => `${kind} ${row} ${change}`).sort()]).toEqual([
      period,
      plain.signOffChanges(period),
    ]);
  }
}

test(`periods are locked, changed and reopened as in a simple model (${RUNS} runs)`, {
  timeout: 60_000 + RUNS * 20_000,
}, async () => {
  const some = [
    openPeriod,
    submitPeriod,
    rejectPeriod,
    signPeriod,
    signPeriod,
    signPeriod,
    reopenPeriod,
    syncStatement,
    syncStatement,
    syncStatement,
  ];
  const more = [
    importLines,
    importLines,
    removeImport,
    undoMatch,
    writeOffLine,
    runMatching,
    compareChanges,
    restartBackend,
  ];
  await fc.assert(
    fc.asyncProperty(
      fc.commands([...some, ...more], { maxCommands: STEPS, size: 'max' }),
      async (commands) => {
        const bench = await openPeriodBench();
        try {
          bench.addStatements(
            { id: 1, on: '2026-10-05', cents: 1900 },
            { id: 2, on: '2026-11-06', cents: 2500 },
          );
          await bench.import(standardCsv([['2026-10-07', '19.00', 'CARD', 'ch_x10']]));
          await bench.match();
          const plain = new BooksModel([
            { id: 1, on: '2026-10-05', cents: 1900 },
            { id: 2, on: '2026-11-06', cents: 2500 },
          ]);
          plain.readBooks(bench.books());
          await bench.client.periods.open(on('2026-10'));
          plain.states.set('2026-10', 'open');
          await fc.asyncModelRun(() => ({ model: plain, real: bench }), commands);
        } finally {
          await bench.close();
        }
      },
    ),
    { numRuns: RUNS, endOnFailure: process.env['RUNS'] === undefined },
  );
});
