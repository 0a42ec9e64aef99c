import fc from 'fast-check';
import { expect, test } from 'vitest';
import { openBankBench, SITE, standardCsv, type TestPayment } from '../bank/bank-bench.ts';

/** The order of files, rows, imports and runs does not change the result. */
const RUNS = Number(process.env['RUNS'] ?? 2);

const prices = [1900, 4900, 9900];
const days = Array.from({ length: 12 }, (_, at) => `2026-10-${String(at + 1).padStart(2, '0')}`);

const arbitraryInput = fc
  .array(
    fc.record({
      price: fc.constantFrom(...prices, 1234, 5678, 8765, 4321),
      day: fc.nat(8),
      lag: fc.nat(3),
      said: fc.constantFrom('id', 'name', 'nothing'),
      customer: fc.nat(5),
    }),
    { minLength: 12, maxLength: 25 },
  )
  .map((all) => {
    const payments: TestPayment[] = all.map(({ price, day, customer }, at) => ({
      id: 7_000_001 + at,
      amount: price,
      on: days[day]!,
      gateway: `ch_9f${7_000_001 + at}`,
      customer: `Customer Number${'abcdef'[customer]}`,
      subscription: customer + 1,
    }));
    // Two equal lines in separate files count as one line in both files, because they cannot be distinguished.
    const named = new Set<string>();
    const lines = all.map(({ price, day, lag, said, customer }, at) => {
      const alike = `${day + lag} ${price} ${customer}`;
      const isNamed = said === 'name' && !named.has(alike);
      if (isNamed) named.add(alike);
      return [
        days[day + lag]!,
        (price / 100).toFixed(2),
        isNamed ? `Customer Number${'abcdef'[customer]}` : `CARD ${at}`,
        said === 'id' ? `ch_9f${7_000_001 + at}` : '',
      ] as [string, string, string, string];
    });
    return { payments, lines };
  });

/** Describes the matches by their content instead of their ids. */
async function runAndDescribe(
  payments: readonly TestPayment[],
  files: readonly (readonly [string, string, string, string])[][],
  runBetween: boolean,
): Promise<unknown> {
  const bench = await openBankBench();
  try {
    bench.replacePayments(payments);
    for (const [at, file] of files.entries()) {
      await bench.import(standardCsv(file), { name: `part${at}.csv` });
      if (runBetween) await bench.match();
    }
    const { run } = await bench.match();
    const { rows } = await bench.client.match.list({
      site: SITE,
      filter: { status: ['confirmed', 'suggested', 'ambiguous'] },
      limit: 1000,
      members: 1000,
    });
    const { passes, unmatched_lines, unmatched_payments } = run;
    const groups = rows.map((group) =>
      JSON.stringify([
        group.status,
        group.rule,
        group.alternatives,
        group.bank_lines
          .map((line) => [line.booked_on, line.amount_in_cents, line.description, line.reference])
          .toSorted(),
        group.transactions.map(({ id }) => id).toSorted((a, b) => a - b),
      ]),
    );
    return { passes, unmatched_lines, unmatched_payments, groups: groups.toSorted() };
  } finally {
    await bench.close();
  }
}

test(`the order of files, rows and imports does not change the result (${RUNS} runs)`, {
  timeout: 60_000 + RUNS * 20_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(
      arbitraryInput,
      fc.array(fc.nat(2), { minLength: 25, maxLength: 25 }),
      fc.infiniteStream(fc.nat(1000)),
      fc.boolean(),
      async ({ payments, lines }, parts, random, runBetween) => {
        const whole = await runAndDescribe(payments, [lines], false);
        const shuffled = lines
          .map((line) => [random.next().value as number, line] as const)
          .toSorted(([a], [b]) => a - b)
          .map(([, line]) => line);
        const files = [0, 1, 2]
          .map((part) => shuffled.filter((_, at) => parts[at] === part))
          .filter(({ length }) => length > 0);
        expect(await runAndDescribe(payments, files, runBetween)).toEqual(whole);
      },
    ),
    { numRuns: RUNS, endOnFailure: process.env['RUNS'] === undefined },
  );
});
