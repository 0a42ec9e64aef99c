import { toDayNumber } from '../../src/domain/ledger/index.ts';
import type { MatchLine, MatchPayment } from '../../src/domain/matching/index.ts';

/**
 * The simple way in which most tools match, at its fastest: an ID in the text of the line; amount and days with the name
 * in the text; amount and days only. Each pass reads all rows and matches only if one payment fits one line. Candidates
 * are compared one by one.
 */
export function matchInThreePasses(
  payments: readonly MatchPayment[],
  lines: readonly MatchLine[],
  window: { readonly from: number; readonly to: number },
): Map<number, number> {
  const found = new Map<number, number>();
  const taken = new Set<number>();
  const take = (line: number, payment: number): void => {
    found.set(line, payment);
    taken.add(payment);
  };

  const byId = new Map<string, MatchPayment>();
  for (const payment of payments) {
    for (const id of [payment.id, payment.payment_id, payment.statement_id, payment.gateway_transaction_id]) {
      if (id !== null) byId.set(String(id).toLowerCase(), payment);
    }
  }
  for (const line of lines) {
    for (const word of `${line.reference ?? ''} ${line.description}`.toLowerCase().split(/[^a-z0-9_]+/)) {
      const payment = byId.get(word) ?? byId.get(word.replace(/^\D*0*/, ''));
      if (payment === undefined || taken.has(payment.id) || payment.amount_in_cents !== line.amount_in_cents)
        continue;
      take(line.id, payment.id);
      break;
    }
  }

  const days = new Map<string, number>();
  const dayOf = (date: string): number => {
    const known = days.get(date);
    if (known !== undefined) return known;
    const day = toDayNumber(date) as number;
    days.set(date, day);
    return day;
  };
  const byAmount = new Map<number, { payment: MatchPayment; day: number; names: readonly string[] }[]>();
  for (const payment of payments) {
    const same = byAmount.get(payment.amount_in_cents);
    const names = payment.names.map((name) => name.toLowerCase());
    const entry = { payment, day: dayOf(payment.paid_on), names };
    if (same === undefined) byAmount.set(payment.amount_in_cents, [entry]);
    else same.push(entry);
  }
  for (const pass of ['name', 'amount'] as const) {
    const components: [number, number][] = [];
    const wanted = new Map<number, number>();
    for (const line of lines) {
      if (found.has(line.id)) continue;
      const day = dayOf(line.booked_on);
      const text = `${line.description} ${line.counterparty ?? ''}`.toLowerCase();
      let only = 0;
      let count = 0;
      for (const { payment, day: paid, names } of byAmount.get(line.amount_in_cents) ?? []) {
        if (day - paid < window.from || day - paid > window.to || taken.has(payment.id)) continue;
        if (pass === 'name' && !names.some((name) => text.includes(name))) continue;
        count++;
        only = payment.id;
        wanted.set(payment.id, (wanted.get(payment.id) ?? 0) + 1);
      }
      if (count === 1) components.push([line.id, only]);
    }
    for (const [line, payment] of components) if (wanted.get(payment) === 1) take(line, payment);
  }
  return found;
}
