import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createMonthlyBankFiles,
  type MonthlyBankFiles,
  type Sandbox,
  startSandbox,
} from '../../src/sandbox/index.ts';
import { type CompleteFile, readCompleteFile } from '../domain/bankfiles/read-complete-file.ts';

let sandbox: Sandbox;
let files: MonthlyBankFiles;
let statement: CompleteFile;
let report: CompleteFile;

beforeAll(async () => {
  sandbox = await startSandbox({ seed: 3 });
  files = createMonthlyBankFiles(sandbox.truth, { seed: 3, month: '2026-10' });
  statement = await readCompleteFile(Buffer.from(files.statement.text));
  report = await readCompleteFile(Buffer.from(files.payouts.text));
});
afterAll(() => sandbox.close());

/** Returns the successful payments and refunds of the service by id. Refunds are negative. */
function receivedPayments(): Map<number, { cents: number; gateway_id: unknown; at: string }> {
  const all = new Map<number, { cents: number; gateway_id: unknown; at: string }>();
  for (const transactionId of sandbox.truth.statements()) {
    for (const transaction of transactionId['transactions'] as Record<string, unknown>[]) {
      const sign = { payment: 1, refund: -1 }[String(transaction['transaction_type'])];
      if (sign === undefined || transaction['success'] !== true) continue;
      all.set(Number(transaction['id']), {
        cents: sign * Number(transaction['amount_in_cents']),
        gateway_id: transaction['gateway_transaction_id'],
        at: String(transaction['created_at']),
      });
    }
  }
  return all;
}

/** Returns the revenue of a transaction in cents. */
function getRevenue(type: string, cents: number): number {
  if (type === 'credit') return -Math.abs(cents);
  return type === 'charge' || type === 'adjustment' ? cents : 0;
}

describe('bank files of the sandbox', () => {
  it('are the same for the same seed and differ for another seed', () => {
    expect(createMonthlyBankFiles(sandbox.truth, { seed: 3, month: '2026-10' })).toEqual(files);
    expect(createMonthlyBankFiles(sandbox.truth, { seed: 4, month: '2026-10' }).statement.text).not.toBe(
      files.statement.text,
    );
    expect(() => createMonthlyBankFiles(sandbox.truth, { month: 'October' })).toThrow(RangeError);
  });

  it('have a ledger that balances and agrees with the statements and the bank lines', () => {
    const rows = files.ledger.text.trim().split('\n').slice(1);
    const sums = new Map<string, number>();
    for (const row of rows) {
      const [account = '', ...cells] = row.split(',');
      const [debit, credit] = cells.slice(-2).map((cell) => Math.round(Number(cell) * 100));
      sums.set(account, (sums.get(account) ?? 0) + debit! - credit!);
      expect(row).toContain('2026-10-');
    }
    expect([...sums.values()].reduce((total, cents) => total + cents, 0)).toBe(0);
    const banked = statement.lines.reduce((total, { amount_in_cents }) => total + amount_in_cents, 0);
    expect(sums.get('1000')).toBe(banked);
    let charged = 0;
    for (const { closed_at, transactions } of sandbox.truth.statements()) {
      if (!String(closed_at).startsWith('2026-10')) continue;
      for (const { transaction_type, amount_in_cents } of transactions as Record<string, unknown>[])
        charged += getRevenue(String(transaction_type), Number(amount_in_cents));
    }
    expect(sums.get('4000')).toBe(-charged);
  });

  it('are read without remarks by the standard profile and the processor’s profile', () => {
    expect([statement.profile?.name, report.profile?.name]).toEqual(['standard', 'stripe-report']);
    expect([...statement.problems, ...report.problems, ...statement.questions]).toEqual([]);
    expect(statement.lines).toHaveLength(files.statement.rows.length);
    expect(report.lines).toHaveLength(files.payouts.rows.length);
    expect(statement.lines.every(({ booked_on }) => booked_on.startsWith('2026-10'))).toBe(true);
  });

  it('pay out the net amount of each batch, including refunds, a dispute, a fee and a reserve', () => {
    const booked = new Map(
      files.statement.rows.map(({ row, payout_id }) => [payout_id, statement.lines[row - 1]]),
    );
    for (const { payout_id, stated_in_cents, net_in_cents } of report.payouts) {
      expect(stated_in_cents).toBe(net_in_cents);
      const line = booked.get(payout_id);
      if (line !== undefined) expect(line.amount_in_cents).toBe(net_in_cents);
    }
    expect(new Set(report.lines.map(({ kind }) => kind))).toEqual(
      new Set(['payment', 'refund', 'chargeback', 'fee', 'reserve', 'payout']),
    );
  });

  it('contain each payment of the month at most once, with its exact amount, and every payment that could have arrived', () => {
    const known = receivedPayments();
    const linesByPayment: number[] = [];
    const lines = [
      ...files.statement.rows.map((each) => ({ ...each, line: statement.lines[each.row - 1]! })),
      ...files.payouts.rows.map((each) => ({ ...each, line: report.lines[each.row - 1]! })),
    ];
    for (const { transaction_id, line } of lines) {
      if (transaction_id === null) continue;
      linesByPayment.push(transaction_id);
      expect(line.amount_in_cents).toBe(known.get(transaction_id)?.cents);
    }
    expect(new Set(linesByPayment).size).toBe(linesByPayment.length);
    const firstDay = [...known]
      .filter(([, { at }]) => at >= '2026-10-02' && at < '2026-10-26')
      .map(([id]) => id);
    expect(firstDay.filter((id) => !linesByPayment.includes(id))).toEqual([]);
    const lastDay = [...known].filter(([, { at }]) => at >= '2026-10-31').map(([id]) => id);
    expect(lastDay.filter((id) => linesByPayment.includes(id))).toEqual([]);
  });

  it('contain lines without a reference and lines unrelated to the service', () => {
    const linesWithReference = statement.lines.filter(({ reference }) => reference !== null);
    expect(linesWithReference.length).toBeGreaterThan(5);
    expect(statement.lines.length - linesWithReference.length).toBeGreaterThan(10);
    const unrelatedLines = files.statement.rows.filter(
      (each) => each.payout_id === null && each.transaction_id === null,
    );
    expect(unrelatedLines).toHaveLength(10);
  });

  it('are available at the control address', async () => {
    const response = await fetch(`${sandbox.describe().control_url}/bank`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${sandbox.apiKey}:x`)}` },
      body: JSON.stringify({ month: '2026-10' }),
    });
    expect(await response.json()).toEqual(files);
  });
});
