import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { MatchGroup } from '../../../src/contract/index.ts';
import { type BankBench, openBankBench, SITE, standardCsv, type TestPayment } from '../bank/bank-bench.ts';
import { expectInvariants } from './books-invariants.ts';

/** Random operations of a person and runs preserve all invariants after each step. `RUNS=300` runs longer. */
const RUNS = Number(process.env['RUNS'] ?? 4);
const STEPS = 14;

const payments: readonly TestPayment[] = [
  { id: 101, amount: 1900, on: '2026-10-01', gateway: 'ch_aaa101', customer: 'Ada Byron' },
  { id: 102, amount: 1900, on: '2026-10-01', gateway: 'ch_bbb102', customer: 'Bo Diddley' },
  { id: 103, amount: 4900, on: '2026-10-02', customer: 'Carol Shaw' },
  { id: 104, amount: 4900, on: '2026-10-02', customer: 'Dan Bricklin' },
  { id: 105, amount: 12_345, on: '2026-10-03', customer: 'Edsger D' },
  { id: 106, amount: 777, on: '2026-10-04', kind: 'refund', customer: 'Frances Allen' },
  { id: 107, amount: 3100, on: '2026-10-05', customer: 'Grace Hopper' },
];

const files = [
  standardCsv([
    ['2026-10-02', '19.00', 'CARD PAYMENT', 'ch_aaa101'],
    ['2026-10-02', '19.00', 'CARD PAYMENT'],
    ['2026-10-03', '49.00', 'DEPOSIT'],
    ['2026-10-03', '-2.00', 'ACCOUNT FEE'],
  ]),
  standardCsv([
    ['2026-10-03', '49.00', 'DEPOSIT'],
    ['2026-10-04', '123.45', 'TRANSFER', 'Edsger D'],
    ['2026-10-05', '-7.77', 'REFUND', 'Frances Allen'],
    ['2026-10-03', '49.00', 'DEPOSIT OF CAROL SHAW'],
  ]),
  standardCsv([
    ['2026-10-06', '10.00', 'PART ONE', 'Grace Hopper'],
    ['2026-10-07', '21.00', 'PART TWO', 'Grace Hopper'],
    ['2026-10-07', '19.00', 'NOBODY', '', 'EUR'],
  ]),
] as const;

type Step =
  | { do: 'import'; file: number }
  | { do: 'remove'; pick: number }
  | { do: 'run'; dry: boolean }
  | { do: 'confirm' | 'decline' | 'undo' | 'writeOff' | 'split'; pick: number }
  | { do: 'make'; lines: number[]; payments: number[] }
  | { do: 'accept' | 'reopen' | 'undoRun' | 'rebuild' }
  | { do: 'change'; payment: number; amount: number };

const pick = fc.nat(50);
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('import' as const), file: fc.nat(files.length - 1) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('remove' as const), pick }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('run' as const), dry: fc.boolean() }) },
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constantFrom('confirm' as const, 'decline', 'undo', 'writeOff', 'split'),
      pick,
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('make' as const),
      lines: fc.array(pick, { minLength: 1, maxLength: 2 }),
      payments: fc.array(pick, { minLength: 1, maxLength: 2 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('accept' as const, 'reopen', 'undoRun', 'rebuild') }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('change' as const),
      payment: fc.nat(payments.length - 1),
      amount: fc.constantFrom(1900, 2000, 0),
    }),
  },
);

/** Error codes allowed for operations that are not possible. */
const allowedErrors = ['conflict', 'validation', 'not_found'];

class ModelState {
  readonly bench: BankBench;
  /** Imported files with the ids of their imports. */
  readonly importedFiles = new Map<number, number[]>();
  payments = [...payments];
  /** Matches confirmed by a person. Only a person or a changed payment may undo them. */
  readonly decisions = new Map<number, 'confirmed' | 'declined'>();

  /** Latest run that made suggestions with knowledge of all decisions so far. */
  lastRun = 0;
  /** True if the service changed payments since the last run. The next run undoes their matches, also if it is dry. */
  paymentsChanged = false;

  constructor(bench: BankBench) {
    this.bench = bench;
  }

  groups(status: MatchGroup['status'][]): Promise<MatchGroup[]> {
    return this.bench.client.match
      .list({ site: SITE, filter: { status }, limit: 1000, members: 100 })
      .then(({ rows }) => rows.toSorted((a, b) => a.id - b.id));
  }

  async lines() {
    const { rows } = await this.bench.client.bank.lines({ site: SITE, limit: 1000 });
    return rows.toSorted((a, b) => a.id - b.id);
  }
}

async function performStep(world: ModelState, step: Step): Promise<void> {
  const { bench } = world;
  const { match, bank } = bench.client;
  const choose = <Item>(items: readonly Item[], at: number): Item | undefined =>
    items[at % Math.max(1, items.length)];
  switch (step.do) {
    case 'import': {
      const { id } = await bench.import(files[step.file]!, { name: `file${step.file}.csv` });
      if (id > 0) world.importedFiles.set(id, [step.file]);
      return;
    }
    case 'remove': {
      const id = choose([...world.importedFiles.keys()], step.pick);
      if (id === undefined) return;
      const { job } = await bank.removeImport({ site: SITE, id, reason: 'a test' });
      expect(await bench.waitForJob(job)).toMatchObject({ state: 'done' });
      world.importedFiles.delete(id);
      world.decisions.clear();
      return;
    }
    case 'run': {
      if (world.paymentsChanged) await bench.match({ dry_run: true });
      world.paymentsChanged = false;
      const before = await world.groups(['confirmed', 'suggested', 'ambiguous']);
      const dry = await bench.match({ dry_run: true });
      expect(await world.groups(['confirmed', 'suggested', 'ambiguous'])).toEqual(before);
      if (!step.dry) {
        const { run, job } = await bench.match();
        expect(job, JSON.stringify(job.error)).toMatchObject({ state: 'done' });
        const { digest, passes, confirmed, suggested, ambiguous } = dry.run;
        expect(run).toMatchObject({ digest, passes, confirmed, suggested, ambiguous });
        world.lastRun = run.id;
      }
      return;
    }
    case 'confirm':
    case 'decline': {
      const group = choose(await world.groups(['suggested', 'ambiguous']), step.pick);
      if (group === undefined) return;
      await match[step.do]({ site: SITE, ids: [group.id] });
      world.decisions.set(group.id, step.do === 'confirm' ? 'confirmed' : 'declined');
      world.lastRun = 0;
      return;
    }
    case 'undo': {
      const group = choose(await world.groups(['confirmed', 'declined']), step.pick);
      if (group === undefined) return;
      await match.undo({ site: SITE, ids: [group.id], reason: 'a test' });
      world.decisions.delete(group.id);
      return;
    }
    case 'writeOff': {
      const line = choose(await world.lines(), step.pick);
      if (line === undefined) return;
      const [made] = await match.writeOff({
        site: SITE,
        lines: [line.id],
        category: step.pick % 2 ? 'fee' : 'ignored',
        reason: 'a test',
      });
      world.decisions.set(made!.id, 'confirmed');
      return;
    }
    case 'split': {
      const group = (await world.groups(['confirmed'])).find(
        (each) => each.line_count === 2 && each.transaction_count === 1,
      );
      const [one, two] = group?.bank_lines ?? [];
      const paid = group?.transactions[0];
      if (group === undefined || one === undefined || two === undefined || paid === undefined) return;
      const part = ({ id, allocated_in_cents }: typeof one) => ({
        lines: [{ id }],
        transactions: [{ id: paid.id, allocated_in_cents }],
      });
      world.decisions.delete(group.id);
      const parts = await match.split({
        site: SITE,
        id: group.id,
        parts: [part(one), part(two)],
        reason: 'a test',
      });
      for (const { id } of parts) world.decisions.set(id, 'confirmed');
      return;
    }
    case 'make': {
      const lines = await world.lines();
      const chosen = [...new Set(step.lines.map((at) => choose(lines, at)?.id))].filter(
        (id) => id !== undefined,
      );
      const paid = [...new Set(step.payments.map((at) => choose(world.payments, at)!.id))];
      const made = await match.make({
        site: SITE,
        lines: chosen.map((id) => ({ id })),
        transactions: paid.map((id) => ({ id })),
      });
      world.decisions.set(made.id, 'confirmed');
      return;
    }
    case 'accept': {
      const rule = (await world.groups(['suggested']))[0]?.rule;
      if (rule === undefined) return;
      const before = await world.groups(['suggested']);
      await match.acceptRule({ site: SITE, rule });
      const still = new Set((await world.groups(['suggested'])).map(({ id }) => id));
      for (const group of before)
        if (group.rule === rule && !still.has(group.id)) world.decisions.set(group.id, 'confirmed');
      return;
    }
    case 'undoRun': {
      const last = (await match.runs({ site: SITE })).rows.find(
        ({ dry_run, state }) => !dry_run && state === 'done',
      );
      if (last === undefined) return;
      const { job } = await match.undoRun({ site: SITE, id: last.id, reason: 'a test' });
      expect(await bench.waitForJob(job)).toMatchObject({ state: 'done' });
      return;
    }
    case 'rebuild':
      bench.replacePayments(world.payments);
      return;
    case 'change': {
      const changed = { ...world.payments[step.payment]!, amount: step.amount };
      world.payments = world.payments.map((payment, at) => (at === step.payment ? changed : payment));
      bench.replacePayments(world.payments);
      world.paymentsChanged = true;
      world.decisions.clear();
      return;
    }
    case 'reopen':
      return bench.reopen();
  }
}

async function checkInvariants(world: ModelState): Promise<void> {
  const books = world.bench.books();
  expectInvariants(books);
  const groups = new Map(
    (await world.groups(['confirmed', 'suggested', 'ambiguous', 'declined', 'undone'])).map((group) => [
      group.id,
      group,
    ]),
  );
  for (const [id, status] of world.decisions) {
    expect([id, groups.get(id)?.status], 'a decision stays').toEqual([id, status]);
  }
  // Declined matches are not suggested again.
  const said = new Set<string>();
  for (const group of groups.values()) {
    if (group.status !== 'declined') continue;
    for (const line of group.bank_lines)
      for (const { id } of group.transactions) said.add(`${line.id} ${id}`);
  }
  for (const group of groups.values()) {
    if (group.run === null || group.changed_by !== null || !['suggested', 'ambiguous'].includes(group.status))
      continue;
    if (group.line_count !== 1 || group.transaction_count !== 1) continue;
    const pair = `${group.bank_lines[0]?.id} ${group.transactions[0]?.id}`;
    expect(
      [pair, group.run !== world.lastRun || !said.has(pair)],
      'what was declined is proposed again',
    ).toEqual([pair, true]);
  }
  // Nothing is lost: each line of an imported file exists exactly once.
  const lines = await world.lines();
  const expected = new Set(
    [...world.importedFiles.values()].flat().flatMap((file) =>
      files[file]!.trim()
        .split('\n')
        .slice(1)
        .map((row, at) => `${row}#${at}`),
    ),
  );
  expect(lines.length).toBeLessThanOrEqual(expected.size);
  if (world.importedFiles.size > 0) expect(lines.length).toBeGreaterThan(0);
}

test(`random operations in any order, ${RUNS} times: no amount is used twice, nothing is lost, decisions remain`, {
  timeout: 60_000 + RUNS * 15_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: STEPS / 2, maxLength: STEPS }), async (steps) => {
      const bench = await openBankBench();
      try {
        bench.replacePayments(payments);
        const world = new ModelState(bench);
        for (const each of [
          { do: 'import', file: 0 } as const,
          { do: 'run', dry: false } as const,
          ...steps,
        ]) {
          try {
            await performStep(world, each);
          } catch (error) {
            if (!allowedErrors.includes(String((error as { code?: string }).code))) {
              throw new Error(JSON.stringify([each, bench.log.at(-1)]), { cause: error });
            }
          }
          await checkInvariants(world);
        }
      } finally {
        await bench.close();
      }
    }),
    { numRuns: RUNS, endOnFailure: process.env['RUNS'] === undefined },
  );
});
