import {
  balanceEffect,
  dateAsWritten,
  findTypeEffect,
  isSuccessfulPayment,
  isSuccessfulRefund,
} from '../../domain/ledger/index.ts';
import {
  findSignedPayments,
  recordChangedPayments,
  type SignedPayments,
} from '../changes-since-sign-off/changed-payments.ts';
import type { ChangeEvents } from '../jobs/change-events.ts';
import type { JobHandle } from '../jobs/job-handle.ts';
import { yieldToEventLoop } from '../shared/time-slices.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { addAudit } from '../store/audit-log/audit-log.ts';
import { storedAccounts } from '../store/bank/bank-account.ts';
import {
  addPayment,
  changePayment,
  dropPayment,
  groupsClaiming,
  isSamePayment,
  type MatchPayment,
  moneyTransactions,
  type StoredPayment,
  storedPayments,
} from '../store/matching/match-payment.ts';
import { commit, withPages } from '../store/sqlite/connection.ts';
import type { MoneyTransaction } from '../store/statements/transaction.ts';
import { releaseMatch } from './release-match.ts';

export interface PaymentUpdateOptions {
  /** Current time in UTC milliseconds, by the local clock. */
  now: number;
  /** The user who started the update. */
  by: string;
  /** Action and job that cause the update. */
  cause: { action: string; job: string | null };
  signal: AbortSignal;
  progress: (done: number) => void;
}

/** Numbers of payments in the books that were read, changed or undone. */
export interface PaymentUpdateResult {
  payments: number;
  changed: number;
  /** Number of matches undone because a payment has changed or disappeared. */
  undone: number;
  /** Number of payments newly recorded as changed since sign-off. The books still store them as signed. */
  changedSinceSignOff: number;
}

const ROWS_PER_BATCH = 1000;
/** Size of the cache database's page cache in KiB. Small, because its pages are read once and in order. */
const PAGE_CACHE_KIB = 4096;

/** Updates the payments as the last step of another job. Does nothing if there are no bank accounts. */
export async function updatePaymentsAfterJob(
  tools: { user: string; now: () => number; changes: Pick<ChangeEvents, 'emit'> },
  open: OpenSite,
  job: Pick<JobHandle, 'site' | 'signal'> & { id?: string },
  action: string,
): Promise<void> {
  if (storedAccounts(open.books).length === 0) return;
  const { changed, changedSinceSignOff } = await updatePayments(open, {
    now: tools.now(),
    by: tools.user,
    cause: { action: action, job: job.id ?? null },
    signal: job.signal,
    progress: () => {},
  });
  if (changed > 0) tools.changes.emit(job.site, 'match', 'audit');
  if (changedSinceSignOff > 0) tools.changes.emit(job.site, 'periods');
}

/**
 * Copies payments and refunds from the cache to the books, in ranges of ids. If the amount of a matched payment has
 * changed, its match is undone and an audit entry is added. Works after the cache was rebuilt, because the ids come from
 * the service.
 */
export function updatePayments(open: OpenSite, options: PaymentUpdateOptions): Promise<PaymentUpdateResult> {
  return withPages(open.cache, PAGE_CACHE_KIB, () => updateInBatches(open, options));
}

async function updateInBatches(open: OpenSite, options: PaymentUpdateOptions): Promise<PaymentUpdateResult> {
  const { cache, books } = open;
  const moves = (type: string) => findTypeEffect({ transaction_type: type, type: null })?.money != null;
  const result: PaymentUpdateResult = { payments: 0, changed: 0, undone: 0, changedSinceSignOff: 0 };
  const signed = findSignedPayments(books);
  for (let after = -1; ; ) {
    await yieldToEventLoop();
    options.signal.throwIfAborted();
    const found = moneyTransactions(cache, moves, after, ROWS_PER_BATCH);
    const isLast = found.length < ROWS_PER_BATCH;
    const upTo = isLast ? Number.MAX_SAFE_INTEGER : found.at(-1)!.id;
    const now = new Map(
      found.flatMap((transaction) => {
        const payment = toStoredPayment(transaction, open.file.currency);
        return payment === null ? [] : [[payment.id, payment] as const];
      }),
    );
    updateBatch(open, storedPayments(books, after, upTo), now, options, result, signed);
    options.progress(result.payments);
    if (isLast) return result;
    after = upTo;
  }
}

function updateBatch(
  open: OpenSite,
  stored: readonly StoredPayment[],
  now: ReadonlyMap<number, MatchPayment>,
  options: PaymentUpdateOptions,
  result: PaymentUpdateResult,
  signed: SignedPayments | null,
): void {
  const { books } = open;
  const storedById = new Map(stored.map((payment) => [payment.id, payment]));
  const gone = stored.filter((payment) => payment.gone === 0 && !now.has(payment.id));
  const changed = [...now.values()].filter((payment) => {
    const before = storedById.get(payment.id);
    return before === undefined || !isSamePayment(before, payment);
  });
  result.payments += now.size;
  // Payments of closed periods stay unchanged in the books. Changes by the service are recorded as changes since
  // sign-off.
  const keptAsSigned = recordChangedPayments(open, signed, stored, now, [...gone, ...changed], {
    ...options.cause,
    at: options.now,
  });
  result.changedSinceSignOff += keptAsSigned.noted;
  const missing = gone.filter(({ id }) => !keptAsSigned.ids.has(id));
  const others = changed.filter(({ id }) => !keptAsSigned.ids.has(id));
  if (missing.length + others.length === 0) return;
  commit(books, () => {
    for (const payment of others) {
      const before = storedById.get(payment.id);
      result.changed++;
      if (before === undefined) addPayment(books, payment);
      else {
        if (hasAmountChanged(before, payment))
          result.undone += releaseMatchesOfPayment(books, before, payment, options);
        changePayment(books, payment);
      }
    }
    for (const { id } of missing) {
      result.changed++;
      dropPayment(books, id);
    }
  });
}

const hasAmountChanged = (before: StoredPayment, now: MatchPayment): boolean =>
  before.amount_in_cents !== now.amount_in_cents || before.currency !== now.currency;

/** Undoes the matches of a payment whose amount has changed. Returns the number of matches. */
function releaseMatchesOfPayment(
  books: OpenSite['books'],
  before: StoredPayment,
  now: MatchPayment,
  { now: at, by }: PaymentUpdateOptions,
): number {
  const groups = groupsClaiming(books, before.id);
  const reason = `Payment ${now.id} changed from ${before.amount_in_cents} to ${now.amount_in_cents} cents ${now.currency} in the billing service.`;
  for (const group of groups) {
    releaseMatch(books, group, { at, by: null, reason });
    addAudit(books, {
      at,
      user: by,
      action: 'match.changed',
      subject: String(group),
      reason,
      detail: { transaction: now.id },
    });
  }
  return groups.length;
}

/**
 * Converts a transaction to a payment: positive if money was received, negative if it was refunded. Returns null if no
 * money moved.
 */
export function toStoredPayment(transaction: MoneyTransaction, currency: string): MatchPayment | null {
  const movement = {
    ...transaction,
    success: transaction.success === null ? null : transaction.success === 1,
  };
  const isRefund = isSuccessfulRefund(movement);
  if (!isRefund && !isSuccessfulPayment(movement)) return null;
  const size = Math.abs(transaction.amount_in_cents);
  const amount = isRefund ? -size : -(balanceEffect(movement) ?? 0);
  if (amount === 0) return null;
  const { id, statement_id, subscription_id, payment_id, gateway_transaction_id, memo } = transaction;
  return {
    id,
    statement_id,
    subscription_id,
    kind: isRefund ? 'refund' : 'payment',
    paid_on:
      dateAsWritten(transaction.created_at_text) ??
      new Date(transaction.created_at).toISOString().slice(0, 10),
    amount_in_cents: amount,
    currency,
    payment_id,
    gateway_transaction_id: emptyIsNull(gateway_transaction_id),
    memo: emptyIsNull(memo),
    customer_name: emptyIsNull(transaction.customer_name),
    organization: emptyIsNull(transaction.organization),
  };
}

const emptyIsNull = (text: string | null): string | null => (text === '' ? null : text);
