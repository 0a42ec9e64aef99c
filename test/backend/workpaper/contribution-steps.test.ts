import { expect, it } from 'vitest';
import { upsertStatements } from '../../../src/backend/store/statements/statement.ts';
import { readBillingContributions } from '../../../src/backend/workpaper/billing-contributions.ts';
import { createPeriodStatement } from '../periods/period-bench.ts';
import { openTemporaryStore } from '../store/temporary-store.ts';

const STATEMENTS = 30;

it('ends a step for each payment of a closed statement, which the pass over payments skips', () => {
  const cache = openTemporaryStore('cache');
  const statements = Array.from({ length: STATEMENTS }, (_, at) =>
    createPeriodStatement({
      id: 400 + at,
      on: `2026-05-${String(1 + (at % 28)).padStart(2, '0')}`,
      cents: 700,
    }),
  );
  const open = createPeriodStatement({ id: 900, on: '2026-05-20', cents: 1300, open: true });
  upsertStatements(cache, [...statements, open], 1);
  const steps = [...readBillingContributions(cache, 'USD', { first: '2026-05-01', last: '2026-05-31' })];
  const last = steps.findLastIndex((step) => step?.figure === 'S1.closing');
  const ofPayments = steps.slice(last + 1);
  expect(ofPayments.filter((step) => step === null)).toHaveLength(STATEMENTS);
  expect(ofPayments.filter((step) => step !== null)).toMatchObject([{ figure: 'S1.paid-open', cents: 1300 }]);
});
