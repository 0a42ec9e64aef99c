import { setImmediate as breathe } from 'node:timers/promises';
import {
  balanceEffect,
  dateAsWritten,
  effectRowOf,
  isPaymentMade,
  isRefundMade,
} from '../../domain/ledger/index.ts';
import type { Changes } from '../jobs/changes.ts';
import type { JobHandle } from '../jobs/jobs.ts';
import { notePayments, type SignedPayments, signedPayments } from '../periods/payments.ts';
import type { OpenSite } from '../sites/stores.ts';
import { storedAccounts } from '../store/bank/bank-account.ts';
import { addAudit } from '../store/books/audit.ts';
import { commit, withPages } from '../store/database.ts';
import {
  addPayment,
  changePayment,
  dropPayment,
  groupsClaiming,
  type HeldPayment,
  heldPayments,
  isSamePayment,
  type MoneyTransaction,
  moneyTransactions,
  type StoredPayment,
} from '../store/matching/match-payment.ts';
import { releaseGroup } from './release.ts';

export interface Renewal {
  /** Our clock, ms UTC. */
  now: number;
  /** Who started what renews them. */
  by: string;
  /** What does, and its job. */
  cause: { what: string; job: string | null };
  signal: AbortSignal;
  progress: (done: number) => void;
}

/** What became of the payments the books knew. */
export interface Renewed {
  payments: number;
  changed: number;
  /** Matches undone because a payment is another now, or is not there any more. */
  undone: number;
  /** Payments that are otherwise than they were signed, newly noted: the books keep them as signed. */
  drifted: number;
}

const STRETCH = 1000;
/** Room for the cache's pages, in KiB: they are read once, in their order. */
const PAGES = 4096;

/** Brings the payments up to date as the last part of a job of another kind, where lines are held at all. */
export async function renewFor(
  tools: { user: string; now: () => number; changes: Pick<Changes, 'tell'> },
  open: OpenSite,
  job: Pick<JobHandle, 'site' | 'signal'> & { id?: string },
  what: string,
): Promise<void> {
  if (storedAccounts(open.books).length === 0) return;
  const { changed, drifted } = await renewPayments(open, {
    now: tools.now(),
    by: tools.user,
    cause: { what, job: job.id ?? null },
    signal: job.signal,
    progress: () => {},
  });
  if (changed > 0) tools.changes.tell(job.site, 'match', 'audit');
  if (drifted > 0) tools.changes.tell(job.site, 'periods');
}

/**
 * Brings the books' payments and refunds up to what the cache holds, a stretch of ids at a time. A confirmed match whose payment now
 * is of another amount is undone, and the audit log says so. The cache may have been fetched anew: ids are the service's.
 */
export function renewPayments(open: OpenSite, renewal: Renewal): Promise<Renewed> {
  return withPages(open.cache, PAGES, () => renew(open, renewal));
}

async function renew(open: OpenSite, renewal: Renewal): Promise<Renewed> {
  const { cache, books } = open;
  const moves = (type: string) => effectRowOf({ transaction_type: type, type: null })?.money != null;
  const renewed: Renewed = { payments: 0, changed: 0, undone: 0, drifted: 0 };
  const signed = signedPayments(books);
  for (let after = -1; ; ) {
    await breathe();
    renewal.signal.throwIfAborted();
    const found = moneyTransactions(cache, moves, after, STRETCH);
    const isLast = found.length < STRETCH;
    const upTo = isLast ? Number.MAX_SAFE_INTEGER : found.at(-1)!.id;
    const now = new Map(
      found.flatMap((transaction) => {
        const payment = paymentOf(transaction, open.file.currency);
        return payment === null ? [] : [[payment.id, payment] as const];
      }),
    );
    compare(open, heldPayments(books, after, upTo), now, renewal, renewed, signed);
    renewal.progress(renewed.payments);
    if (isLast) return renewed;
    after = upTo;
  }
}

function compare(
  open: OpenSite,
  held: readonly HeldPayment[],
  now: ReadonlyMap<number, StoredPayment>,
  renewal: Renewal,
  renewed: Renewed,
  signed: SignedPayments | null,
): void {
  const { books } = open;
  const known = new Map(held.map((payment) => [payment.id, payment]));
  const gone = held.filter((payment) => payment.gone === 0 && !now.has(payment.id));
  const differ = [...now.values()].filter((payment) => {
    const before = known.get(payment.id);
    return before === undefined || !isSamePayment(before, payment);
  });
  renewed.payments += now.size;
  // What is signed stays in the books as it was, and what the service says of it now is noted.
  const kept = notePayments(open, signed, held, now, [...gone, ...differ], {
    ...renewal.cause,
    at: renewal.now,
  });
  renewed.drifted += kept.noted;
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

const isMoneyOther = (before: HeldPayment, now: StoredPayment): boolean =>
  before.amount_in_cents !== now.amount_in_cents || before.currency !== now.currency;

/** Undoes what claims a payment that is of another amount now; gives how many matches that were. */
function release(
  books: OpenSite['books'],
  before: HeldPayment,
  now: StoredPayment,
  { now: at, by }: Renewal,
): number {
  const groups = groupsClaiming(books, before.id);
  const why = `Payment ${now.id} changed from ${before.amount_in_cents} to ${now.amount_in_cents} cents ${now.currency} in the billing service.`;
  for (const group of groups) {
    releaseGroup(books, group, { at, by: null, why });
    addAudit(books, {
      at,
      who: by,
      action: 'match.changed',
      subject: String(group),
      why,
      detail: { transaction: now.id },
    });
  }
  return groups.length;
}

/** A transaction as money: received above 0, given back below; null where none moved. */
export function paymentOf(transaction: MoneyTransaction, currency: string): StoredPayment | null {
  const movement = {
    ...transaction,
    success: transaction.success === null ? null : transaction.success === 1,
  };
  const isRefund = isRefundMade(movement);
  if (!isRefund && !isPaymentMade(movement)) return null;
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
