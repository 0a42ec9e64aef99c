import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { expect, it, onTestFinished } from 'vitest';
import { openZipTarget } from '../../../src/backend/bagit/zip-target.ts';
import { planAdsFiles } from '../../../src/backend/period-report/auditor-exports/ads-export.ts';
import { ControlTotals } from '../../../src/backend/period-report/auditor-exports/control-totals.ts';
import type { PeriodEvidence } from '../../../src/backend/period-report/report-source.ts';

it('computes a file in time slices, also while the scanned rows are not in the file', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tieout-export-steps-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'export.zip');
  let isWritten = false;
  let turnsOfOthers = 0;
  const others = (async () => {
    for (; !isWritten; turnsOfOthers++) await setImmediate();
  })();
  function* scan() {
    let turnsBefore = 0;
    for (let row = 0; row < 300; row++) {
      const begunAt = performance.now();
      while (performance.now() - begunAt < 1);
      if (row === 0) turnsBefore = turnsOfOthers;
      yield row === 150 ? 'the only row\r\n' : null;
    }
    expect(turnsOfOthers - turnsBefore).toBeGreaterThan(5);
  }
  const target = await openZipTarget(path, Date.UTC(2026, 4, 1));
  await target.write('table.txt', scan());
  await target.finish();
  isWritten = true;
  await others;
  expect(readFileSync(path).includes('the only row\r\n')).toBe(true);
});

const STATEMENTS = 400;

/** Evidence of a month with two charges per statement. Records the statement of the transaction read last. */
function createEvidence(onRead: (statement: number) => void): PeriodEvidence {
  const columns = ['id', 'statement', 'transaction_type', 'type', 'kind', 'amount_in_cents'];
  const balances = ['starting_balance_in_cents', 'ending_balance_in_cents', 'success', 'memo', 'product_id'];
  const evidence: Partial<PeriodEvidence> = {
    workpaper: {
      head: { site: 'acme', title: 'Acme', period: { first: '2026-05-01', last: '2026-05-31' } },
      sections: [{ currency: 'EUR', schedules: [] }],
    } as unknown as PeriodEvidence['workpaper'],
    *statements() {
      for (let id = 1; id <= STATEMENTS; id++)
        yield {
          ...{ id, subscription_id: 7000 + id, closed_at: '2026-05-09T10:00:00Z' },
          ...{ customer_name: `Customer ${id}`, customer_organization: null },
        } as ReturnType<PeriodEvidence['statements']> extends Iterable<infer Each> ? Each : never;
    },
    *transactions() {
      yield [...columns, ...balances];
      for (let id = 2; id < 2 * STATEMENTS + 2; id++) {
        const statement = Math.floor(id / 2);
        onRead(statement);
        yield [id, statement, 'charge', 'Charge', 'baseline', 250, 0, 250, 1, 'Plan', 3];
      }
    },
  };
  return evidence as PeriodEvidence;
}

it.each(['Invoices_Generated', 'Invoices_Generated_Lines'])(
  'reads at most one statement ahead of the rows of %s',
  (table) => {
    let read = 0;
    const evidence = createEvidence((statement) => {
      read = statement;
    });
    const files = planAdsFiles(evidence, new ControlTotals());
    expect(read).toBe(0);
    const { content } = files.find(({ path }) => path.startsWith(`${table}_2026`))!;
    const written = new Map<number, number>();
    for (const line of content) {
      const statement = Number(String(line).split('|')[0]);
      if (!(statement > 0)) continue;
      written.set(statement, (written.get(statement) ?? 0) + 1);
      expect(read - statement).toBeLessThanOrEqual(1);
    }
    expect(written.size).toBe(STATEMENTS);
    expect(new Set(written.values())).toEqual(new Set([table === 'Invoices_Generated' ? 1 : 2]));
  },
);
