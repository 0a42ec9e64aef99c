import {
  findBalanceEffect,
  findTypeEffect,
  isSuccessfulPayment,
  isSuccessfulRefund,
  readDateAsWritten,
} from '../../domain/ledger/index.ts';
import {
  findSignedOffPayments,
  recordChangedPayments,
  type SignedOffPayments,
} from '../changes-since-sign-off/changed-payments.ts';
import type { ChangeEvents } from '../jobs/change-events.ts';
import type { JobHandle } from '../jobs/job-handle.ts';
import { yieldToEventLoop } from '../shared/time-slices.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { addAuditEntry } from '../store/audit-log/audit-log.ts';
import { listStoredBankAccounts } from '../store/bank/bank-account.ts';
import {
  findPaymentsVersion,
  getTransactionsVersion,
  savePaymentsVersion,
} from '../store/matching/match-input-version.ts';
import {
  addMatchPayment,
  isPaymentUnchanged,
  listMatchesClaimingPayment,
  listMoneyTransactions,
  listStoredPayments,
  type MatchPayment,
  removeMatchPayment,
  type StoredPayment,
  updateMatchPayment,
} from '../store/matching/match-payment.ts';
import { countMatchableRows } from '../store/matching/matching-input.ts';
import { runInTransaction, withPageCacheSize } from '../store/sqlite/connection.ts';
import type { MoneyTransaction } from '../store/statements/transaction.ts';
import { releaseMatch } from './release-match.ts';

export interface PaymentUpdateOptions {
  /** Current time in UTC milliseconds, by the local clock. */
  now: number;
  /** The user who started the update. */
  by: string;
  /** Audit action and job that cause the update. */
  cause: { action: string; job: string | null };
  signal: AbortSignal;
  progress: (done: number) => void;
}

/** Numbers of payments that were read, changed or affected otherwise. */
export interface PaymentUpdateResult {
  payments: number;
  changed: number;
  /** Number of matches undone because a payment has changed or disappeared. */
  undone: number;
  /** Number of payments newly recorded as changed since sign-off. The books still store them as signed. */
  changedSinceSignOff: number;
}

const ROWS_PER_BATCH = 1000;
/** Size of the cache database's page cache in KiB. A small size is enough, because pages are read once and in order. */
const PAGE_CACHE_KIB = 4096;

/** Updates the payments as the last step of another job. Does nothing if there are no bank accounts. */
export async function updatePaymentsAfterJob(
  context: { user: string; now: () => number; changes: Pick<ChangeEvents, 'emit'> },
  open: OpenSite,
  job: Pick<JobHandle, 'site' | 'signal'> & { id?: string },
  action: string,
): Promise<void> {
  if (listStoredBankAccounts(open.books).length === 0) return;
  const { changed, changedSinceSignOff } = await updatePayments(open, {
    now: context.now(),
    by: context.user,
    cause: { action, job: job.id ?? null },
    signal: job.signal,
    progress: () => {},
  });
  if (changed > 0) context.changes.emit(job.site, 'match', 'audit');
  if (changedSinceSignOff > 0) context.changes.emit(job.site, 'periods');
}

/**
 * Copies payments and refunds from the cache to the books, in ranges of ids, unless no transaction has changed. If the
 * amount of a matched payment has changed, undoes the match and adds an audit entry. Works after a rebuild of the
 * cache, because the ids come from the service.
 */
export function updatePayments(open: OpenSite, options: PaymentUpdateOptions): Promise<PaymentUpdateResult> {
  return withPageCacheSize(open.cache, PAGE_CACHE_KIB, async () => {
    const version = getTransactionsVersion(open.cache, open.file.currency);
    if (version === findPaymentsVersion(open.books)) {
      const { payments } = countMatchableRows(open.books);
      options.progress(payments);
      return { ...noChanges, payments };
    }
    const result = await updateInBatches(open, options);
    savePaymentsVersion(open.books, version);
    return result;
  });
}

const noChanges: PaymentUpdateResult = { payments: 0, changed: 0, undone: 0, changedSinceSignOff: 0 };

interface PaymentUpdate {
  open: OpenSite;
  options: PaymentUpdateOptions;
  result: PaymentUpdateResult;
  signed: SignedOffPayments | null;
}

async function updateInBatches(open: OpenSite, options: PaymentUpdateOptions): Promise<PaymentUpdateResult> {
  const { cache, books } = open;
  const movesMoney = (type: string) => findTypeEffect({ transaction_type: type, type: null })?.money != null;
  const result = { ...noChanges };
  const update = { open, options, result, signed: findSignedOffPayments(books) };
  for (let after = -1; ; ) {
    await yieldToEventLoop();
    options.signal.throwIfAborted();
    const transactions = listMoneyTransactions(cache, movesMoney, after, ROWS_PER_BATCH);
    const isLast = transactions.length < ROWS_PER_BATCH;
    const upTo = isLast ? Number.MAX_SAFE_INTEGER : transactions.at(-1)!.id;
    const current = new Map(
      transactions.flatMap((transaction) => {
        const payment = toStoredPayment(transaction, open.file.currency);
        return payment === null ? [] : [[payment.id, payment] as const];
      }),
    );
    updateBatch(update, listStoredPayments(books, after, upTo), current);
    options.progress(result.payments);
    if (isLast) return result;
    after = upTo;
  }
}

function updateBatch(
  { open, options, result, signed }: PaymentUpdate,
  stored: readonly StoredPayment[],
  current: ReadonlyMap<number, MatchPayment>,
): void {
  const { books } = open;
  const storedById = new Map(stored.map((payment) => [payment.id, payment]));
  const removed = stored.filter((payment) => payment.removed === 0 && !current.has(payment.id));
  const changed = [...current.values()].filter((payment) => {
    const before = storedById.get(payment.id);
    return before === undefined || !isPaymentUnchanged(before, payment);
  });
  result.payments += current.size;
  // Payments of closed periods stay as signed in the books. The service's changes are recorded as changes since
  // sign-off.
  const cause = { ...options.cause, at: options.now };
  const changedIds = [...removed, ...changed].map(({ id }) => id);
  const unchanged = recordChangedPayments({ open, cause }, signed, { stored, current, changedIds });
  result.changedSinceSignOff += unchanged.recorded;
  const toRemove = removed.filter(({ id }) => !unchanged.ids.has(id));
  const toSave = changed.filter(({ id }) => !unchanged.ids.has(id));
  if (toRemove.length + toSave.length === 0) return;
  result.changed += toRemove.length + toSave.length;
  runInTransaction(books, () => {
    for (const payment of toSave) {
      const before = storedById.get(payment.id);
      if (before === undefined) addMatchPayment(books, payment);
      else {
        if (hasAmountChanged(before, payment))
          result.undone += releaseMatchesOfPayment(books, before, payment, options);
        updateMatchPayment(books, payment);
      }
    }
    for (const { id } of toRemove) removeMatchPayment(books, id);
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
  const groups = listMatchesClaimingPayment(books, before.id);
  const reason = `Payment ${now.id} changed from ${before.amount_in_cents} to ${now.amount_in_cents} cents ${now.currency} in the billing service.`;
  for (const group of groups) {
    releaseMatch(books, group, { at, by: null, reason });
    const detail = { transaction: now.id };
    addAuditEntry(books, { at, user: by, action: 'match.changed', subject: String(group), reason, detail });
  }
  return groups.length;
}

/** Converts a transaction to a payment: positive if received, negative if refunded. Returns null if no money moved. */
export function toStoredPayment(transaction: MoneyTransaction, currency: string): MatchPayment | null {
  const success = transaction.success === null ? null : transaction.success === 1;
  const movement = { ...transaction, success };
  const isRefund = isSuccessfulRefund(movement);
  if (!isRefund && !isSuccessfulPayment(movement)) return null;
  const size = Math.abs(transaction.amount_in_cents);
  const amount = isRefund ? -size : -(findBalanceEffect(movement) ?? 0);
  if (amount === 0) return null;
  const { id, statement_id, subscription_id, payment_id, gateway_transaction_id, memo } = transaction;
  return {
    id,
    statement_id,
    subscription_id,
    kind: isRefund ? 'refund' : 'payment',
    paid_on:
      readDateAsWritten(transaction.created_at_text) ??
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
