import type { DeferredCharge } from '../../contract/index.ts';
import {
  isTax,
  type Recognition,
  rollForwardCharge,
  type ServicePeriod,
} from '../../domain/deferred-revenue/index.ts';
import {
  addDays,
  type Cents,
  type DateRange,
  findBalanceEffect,
  findMovementKind,
  isCalendarDate,
} from '../../domain/ledger/index.ts';
import { extractDate } from '../store/lists/time-range.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';
import { toBalanceTransaction } from '../store/statements/transaction.ts';
import {
  readBilledTransactions,
  readUnrenderedTransactions,
  type StoredServiceTransaction,
} from '../store/workpaper/deferred-rows.ts';
import { findStatementTimeRange } from '../store/workpaper/workpaper-billing.ts';
import type { ContributionSource } from './contribution-source.ts';

const SCHEDULE = 'S6.';

/** Transactions of schedule S6, in the currency of the site. */
export const deferredSource: ContributionSource = {
  covers: (figure) => figure.startsWith(SCHEDULE),
  *read({ cache, file }, period) {
    for (const charge of readBilledCharges(cache, period))
      for (const [name, cents] of listFigures(charge)) {
        const { id, statement_id: statement, created_text } = charge.transaction;
        const row = { kind: 'transaction' as const, id, statement, day: extractDate(created_text), cents };
        yield { figure: SCHEDULE + name, part: '', currency: file.currency, ...row };
      }
  },
};

/** A charge, adjustment or credit billed by a period's end. No `recognition`: a tax or unknown service period. */
interface BilledCharge {
  readonly transaction: StoredServiceTransaction;
  readonly cents: Cents;
  readonly service: ServicePeriod | null;
  readonly recognition: Recognition | null;
}

function listFigures({ transaction, cents, recognition }: BilledCharge): [string, Cents][] {
  if (isTax(transaction)) return [['taxes', 0 - cents]];
  if (recognition === null) return [['unknown', 0 - cents]];
  const { opening, recognized, closing } = recognition;
  const figures: [string, Cents][] = [
    ['opening', opening],
    ['recognized', 0 - recognized],
    ['closing', closing],
  ];
  return figures.filter(([, amount]) => amount !== 0);
}

/** Yields the charges, adjustments and credits billed in a period or deferred at its beginning. */
function* readBilledCharges(cache: ReadableDb, period: DateRange): Generator<BilledCharge> {
  const range = findStatementTimeRange(cache, period);
  const days = { before: addDays(period.first, -1), last: period.last };
  const earlier = { closedBefore: range.from, endsAfter: days.before };
  for (const transaction of readUnrenderedTransactions(cache, earlier)) {
    const charge = toBilledCharge(transaction, days, true);
    if (charge !== null && charge.recognition?.opening !== 0) yield charge;
  }
  for (const transaction of readBilledTransactions(cache, range)) {
    const charge = toBilledCharge(transaction, days, false);
    if (charge !== null) yield charge;
  }
}

/** Returns a charge, adjustment or credit with its recognition in a period. Returns null for other transactions. */
function toBilledCharge(
  transaction: StoredServiceTransaction,
  days: Parameters<typeof rollForwardCharge>[1],
  isBilledBefore: boolean,
): BilledCharge | null {
  const movement = toBalanceTransaction(transaction);
  const kind = findMovementKind(movement);
  if (kind !== 'charges' && kind !== 'adjusted' && kind !== 'credits') return null;
  const cents = findBalanceEffect(movement) ?? 0;
  const service = isTax(transaction) ? null : findService(transaction);
  const recognition = service && rollForwardCharge({ cents, service, isBilledBefore }, days);
  return { transaction, cents, service, recognition };
}

/** Returns the service period that the transaction states, or the days of its statement. Null if unknown. */
function findService(transaction: StoredServiceTransaction): ServicePeriod | null {
  const { service_from, service_until, opened_text, closed_text } = transaction;
  if (service_from !== null && service_until !== null) return { from: service_from, until: service_until };
  const [from, until] = [extractDate(opened_text), extractDate(closed_text)];
  if (from === null || until === null || !isCalendarDate(from) || !isCalendarDate(until)) return null;
  return from <= until ? { from, until } : null;
}

/** Yields the deferral of each charge over a period. Without a service period, no amount is recognized. */
export function* readDeferredCharges(
  { cache, file }: { readonly cache: ReadableDb; readonly file: { readonly currency: string } },
  period: DateRange,
): Generator<DeferredCharge> {
  for (const { transaction, cents, service, recognition } of readBilledCharges(cache, period)) {
    if (isTax(transaction)) continue;
    const { id, statement_id, subscription_id, customer, memo } = transaction;
    yield {
      statement: statement_id,
      transaction: id,
      subscription: subscription_id,
      customer,
      memo,
      currency: file.currency,
      service_from: service?.from ?? null,
      service_until: service?.until ?? null,
      amount_in_cents: cents,
      opening_in_cents: recognition?.opening ?? 0,
      billed_in_cents: recognition?.billed ?? cents,
      recognized_in_cents: recognition?.recognized ?? 0,
      closing_in_cents: recognition?.closing ?? 0,
    };
  }
}
