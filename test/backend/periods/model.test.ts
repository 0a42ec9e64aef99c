import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toContractError } from '../../../src/contract/index.ts';
import { SITE, standardCsv } from '../bank/bench.ts';
import { expectLaws } from '../matching/laws.ts';
import { openPeriodBench, type PeriodBench } from './bench.ts';
import { PERIODS, PlainBooks, type PlainStatement } from './plain-books.ts';

/**
 * Months are opened, signed and reopened while syncs, imports, runs and people change what they can, in any order. After each step the real
 * stores say what plain books say: what is locked, what is late, what drifted, which step is refused. `RUNS=200` for a long run.
 */
const RUNS = Number(process.env['RUNS'] ?? 4);
const STEPS = 16;

type Command = fc.AsyncCommand<PlainBooks, PeriodBench, false>;

/** Makes a command that plain books say will work, or be refused with a code. */
function step(
  text: string,
  foretold: (plain: PlainBooks) => string | null,
  real: (bench: PeriodBench) => Promise<unknown>,
  then: (plain: PlainBooks) => void = () => {},
  check: (plain: PlainBooks) => boolean = () => true,
): Command {
  return {
    check,
    toString: () => text,
    async run(plain, bench) {
      const code = foretold(plain);
      const found = await real(bench).then(
        () => null,
        (error: unknown) => toContractError(error).code,
      );
      expect([text, found]).toEqual([text, code]);
      if (code === null) then(plain);
      await agree(plain, bench);
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

const opening = month.map((period) =>
  step(
    `open ${period}`,
    (plain) => (plain.mayOpen(period) ? null : 'conflict'),
    (bench) => bench.client.periods.open(on(period)),
    (plain) => plain.states.set(period, 'open'),
  ),
);
const submitting = month.map((period) =>
  step(
    `submit ${period}`,
    (plain) => (!plain.states.has(period) ? 'not_found' : plain.maySign(period) ? null : 'conflict'),
    (bench) => bench.client.periods.submit({ ...on(period), by: 'Ada', comment: reason }),
    (plain) => plain.states.set(period, 'submitted'),
  ),
);
const rejecting = month.map((period) =>
  step(
    `reject ${period}`,
    (plain) =>
      !plain.states.has(period) ? 'not_found' : plain.states.get(period) === 'submitted' ? null : 'conflict',
    (bench) => bench.client.periods.review({ ...on(period), by: 'Bo', verdict: 'reject', comment: reason }),
    (plain) => plain.states.set(period, 'open'),
  ),
);
const signing = fc.constant(null).map(() => {
  let lists: unknown;
  return step(
    'sign the month that is due',
    () => null,
    async (bench) => {
      const { periods } = await bench.client.periods.list({ site: SITE });
      const due = periods
        .filter(({ state }) => state === 'open')
        .map(({ period }) => period)
        .sort()[0]!;
      lists = await bench.lists(due);
      expect((await bench.sign(due)).state).toBe('done');
    },
    (plain) => {
      const due = plain.due()!;
      plain.close(due);
      plain.signed.get(due)!.lists = lists;
    },
    (plain) => plain.due() !== null && plain.maySign(plain.due()!),
  );
});
const reopening = month.map((period) =>
  step(
    `reopen ${period}`,
    (plain) => (!plain.states.has(period) ? 'not_found' : plain.mayReopen(period) ? null : 'conflict'),
    (bench) => bench.client.periods.reopen({ ...on(period), reason }),
    (plain) => plain.reopen(period),
  ),
);

/** The service says otherwise, and a run brings it into the books. */
const syncing = fc.tuple(fc.integer({ min: 1, max: 6 }), day, fc.option(cents)).map(([id, date, amount]) => {
  let given: PlainStatement | null = null;
  return step(
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
      if (given === null) bench.vanish(id);
      else bench.statements(given);
      await bench.match();
    },
    (plain) => plain.serve(id, given),
  );
});
const importing = fc
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
    return step(
      `import ${rows.map(([date, amount]) => `${date} ${amount}`).join(', ')}`,
      () => null,
      (bench) => bench.import(file, { name: 'some.csv' }),
    );
  });
const picked = fc.nat(20);
const removing = picked.map((pick) =>
  step(
    `remove an import (${pick})`,
    (plain) => plain.foretellRemoval(pick),
    async (bench) => {
      const { rows } = await bench.client.bank.imports({ site: SITE, state: ['done'], limit: 1000 });
      const ids = rows.map(({ id }) => id).sort((a, b) => a - b);
      await bench.ended(
        (await bench.client.bank.removeImport({ site: SITE, id: ids[pick % ids.length]!, reason })).job,
      );
    },
    undefined,
    (plain) => plain.imports.length > 0,
  ),
);
const undoing = picked.map((pick) =>
  step(
    `undo a match (${pick})`,
    (plain) => plain.foretellUndo(pick),
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
const writingOff = picked.map((pick) =>
  step(
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
const running = fc.constant(
  step(
    'a run',
    () => null,
    (bench) => bench.match(),
  ),
);
const comparing = fc.constant(
  step(
    'everything is compared',
    () => null,
    async (bench) => bench.ended((await bench.client.periods.compare({ site: SITE })).job),
  ),
);
const restarting = fc.constant(
  step(
    'a restart',
    () => null,
    (bench) => bench.reopen(),
  ),
);

/** The real stores hold what plain books say. */
async function agree(plain: PlainBooks, bench: PeriodBench): Promise<void> {
  const books = bench.books();
  expectLaws(books);
  plain.look(books);
  const list = await bench.client.periods.list({ site: SITE });
  expect(Object.fromEntries(list.periods.map(({ period, state }) => [period, state]))).toEqual(
    Object.fromEntries(plain.states),
  );
  expect(list.locked_until).toBe(plain.lockedUntil());
  for (const [period, signed] of plain.signed) {
    const now = await bench.client.periods.signed({ site: SITE, period });
    signed.json ??= now.json;
    expect(now.json === signed.json, `${period} as signed`).toBe(true);
    expect([period, await bench.lists(period)]).toEqual([period, signed.lists]);
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
    opening,
    submitting,
    rejecting,
    signing,
    signing,
    signing,
    reopening,
    syncing,
    syncing,
    syncing,
  ];
  const more = [importing, importing, removing, undoing, writingOff, running, comparing, restarting];
  await fc.assert(
    fc.asyncProperty(
      fc.commands([...some, ...more], { maxCommands: STEPS, size: 'max' }),
      async (commands) => {
        const bench = await openPeriodBench();
        try {
          bench.statements(
            { id: 1, on: '2026-10-05', cents: 1900 },
            { id: 2, on: '2026-11-06', cents: 2500 },
          );
          await bench.import(standardCsv([['2026-10-07', '19.00', 'CARD', 'ch_x10']]));
          await bench.match();
          const plain = new PlainBooks([
            { id: 1, on: '2026-10-05', cents: 1900 },
            { id: 2, on: '2026-11-06', cents: 2500 },
          ]);
          plain.look(bench.books());
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
