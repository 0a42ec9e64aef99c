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
import { releaseMatch } from './release.ts';

export interface PaymentUpdate {
  /** Local clock, UTC milliseconds. */
  now: number;
  /** The user who started the update. */
  by: string;
  /** The action that causes the update, and its job. */
  cause: { action: string; job: string | null };
  signal: AbortSignal;
  progress: (done: number) => void;
}

/** What changed in the payments stored in the books. */
export interface PaymentUpdateResult {
  payments: number;
  changed: number;
  /** Number of matches undone because a payment has changed or vanished. */
  undone: number;
  /** Number of newly recorded payments that differ from the signed state. The books keep them as signed. */
  changedSinceSignOff: number;
}

const STRETCH = 1000;
/** Size of the cache database's page cache in KiB: pages are read once, in order. */
const PAGES = 4096;

/** Updates the payments as the last step of another job, if there are any bank lines. */
export async function updatePaymentsAfterJob(
  tools: { user: string; now: () => number; changes: Pick<ChangeEvents, 'tell'> },
  open: OpenSite,
  job: Pick<JobHandle, 'site' | 'signal'> & { id?: string },
  what: string,
): Promise<void> {
  if (storedAccounts(open.books).length === 0) return;
  const { changed, changedSinceSignOff } = await updatePayments(open, {
    now: tools.now(),
    by: tools.user,
    cause: { action: what, job: job.id ?? null },
    signal: job.signal,
    progress: () => {},
  });
  if (changed > 0) tools.changes.tell(job.site, 'match', 'audit');
  if (changedSinceSignOff > 0) tools.changes.tell(job.site, 'periods');
}

/**
 * Updates the books' payments and refunds from the cache in ranges of ids. A confirmed match whose payment changed its
 * amount is undone, with an audit entry. The cache may have been rebuilt: the ids are the service's.
 */
export function updatePayments(open: OpenSite, renewal: PaymentUpdate): Promise<PaymentUpdateResult> {
  return withPages(open.cache, PAGES, () => renew(open, renewal));
}

async function renew(open: OpenSite, renewal: PaymentUpdate): Promise<PaymentUpdateResult> {
  const { cache, books } = open;
  const moves = (type: string) => findTypeEffect({ transaction_type: type, type: null })?.money != null;
  const renewed: PaymentUpdateResult = { payments: 0, changed: 0, undone: 0, changedSinceSignOff: 0 };
  const signed = findSignedPayments(books);
  for (let after = -1; ; ) {
    await yieldToEventLoop();
    renewal.signal.throwIfAborted();
    const found = moneyTransactions(cache, moves, after, STRETCH);
    const isLast = found.length < STRETCH;
    const upTo = isLast ? Number.MAX_SAFE_INTEGER : found.at(-1)!.id;
    const now = new Map(
      found.flatMap((transaction) => {
        const payment = toStoredPayment(transaction, open.file.currency);
        return payment === null ? [] : [[payment.id, payment] as const];
      }),
    );
    compare(open, storedPayments(books, after, upTo), now, renewal, renewed, signed);
    renewal.progress(renewed.payments);
    if (isLast) return renewed;
    after = upTo;
  }
}

function compare(
  open: OpenSite,
  stored: readonly StoredPayment[],
  now: ReadonlyMap<number, MatchPayment>,
  renewal: PaymentUpdate,
  renewed: PaymentUpdateResult,
  signed: SignedPayments | null,
): void {
  const { books } = open;
  const known = new Map(stored.map((payment) => [payment.id, payment]));
  const gone = stored.filter((payment) => payment.gone === 0 && !now.has(payment.id));
  const differ = [...now.values()].filter((payment) => {
    const before = known.get(payment.id);
    return before === undefined || !isSamePayment(before, payment);
  });
  renewed.payments += now.size;
  // Signed payments stay in the books unchanged; what the service now reports is recorded as a change.
  const kept = recordChangedPayments(open, signed, stored, now, [...gone, ...differ], {
    ...renewal.cause,
    at: renewal.now,
  });
  renewed.changedSinceSignOff += kept.noted;
  const missing = gone.filter(({ id }) => !kept.ids.has(id));
  const others = differ.filter(({ id }) => !kept.ids.has(id));
  if (missing.length + others.length === 0) return;
  commit(books, () => {
    for (const payment of others) {
      const before = known.get(payment.id);
      renewed.changed++;
      if (before === undefined) addPayment(books, payment);
      else {
        if (isMoneyOther(before, payment)) renewed.undone += release(books, before, payment, renewal);
        changePayment(books, payment);
      }
    }
    for (const { id } of missing) {
      renewed.changed++;
      dropPayment(books, id);
    }
  });
}

const isMoneyOther = (before: StoredPayment, now: MatchPayment): boolean =>
  before.amount_in_cents !== now.amount_in_cents || before.currency !== now.currency;

/** Undoes matches that claim a payment whose amount changed. Returns their number. */
function release(
  books: OpenSite['books'],
  before: StoredPayment,
  now: MatchPayment,
  { now: at, by }: PaymentUpdate,
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

/** Returns a transaction as money: positive if received, negative if refunded, null if no money moved. */
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
