import type {
  ContractInputs,
  Payment,
  PaymentTrail,
  TrailRecord,
  TrailStart,
  TrailStep,
} from '../../contract/index.ts';
import { findTypeEffect } from '../../domain/ledger/index.ts';
import { requireRecord } from '../shared/require-record.ts';
import type { ReadOnlySite } from '../sites/read-only-databases.ts';
import { listPaymentsById } from '../store/matching/match-payment-list.ts';
import {
  listLineIdsOfLedgerLine,
  listLineIdsOfMatches,
  listLineIdsOfPayouts,
  listMatchIdsOfPayment,
  listMatchIdsOfPayouts,
  listPaymentIdsOfLines,
  listPaymentIdsOfMatch,
  listPaymentIdsOfStatement,
  listPayoutIdsOfDeposits,
  listPayoutIdsOfLines,
  listPayoutIdsOfMatch,
  listTrailLedgerLines,
  listTrailLines,
  listTrailMatches,
  listTrailPayouts,
} from '../store/matching/payment-trail.ts';
import { listTrailStatement, listTrailTransactions } from '../store/statements/trail-statement.ts';
import { findWebhookSubject, listTrailWebhooks } from '../store/webhooks/trail-webhooks.ts';

const MAX_PAYMENTS = 100;
const MAX_RECORDS = 20;

/**
 * Returns the payments on whose trail a record lies, and the trail of one of them. Throws `not_found` if the wanted
 * payment is not among them.
 */
export function readPaymentTrail(
  site: ReadOnlySite,
  { from, payment: wanted }: Pick<ContractInputs['match']['trail'], 'from' | 'payment'>,
): PaymentTrail {
  const ids = [...new Set(listPaymentIds(site, from))];
  const all = listPaymentsById(site.books, ids).toSorted(
    (a, b) => a.paid_on.localeCompare(b.paid_on) || a.id - b.id,
  );
  const chosen = wanted === undefined ? all[0] : all.find(({ id }) => id === wanted);
  const payment =
    wanted === undefined
      ? chosen
      : requireRecord(chosen ?? null, `payment ${wanted} on this trail`, 'See the payments of the trail.');
  return {
    payments: all.slice(0, MAX_PAYMENTS),
    payment_count: all.length,
    payment: payment?.id ?? null,
    steps: payment === undefined ? [] : listSteps(site, payment),
  };
}

/** Returns the ids of the payments to which a record belongs. */
function listPaymentIds({ cache, books }: ReadOnlySite, { kind, id }: TrailStart): readonly number[] {
  const ofLines = (lines: readonly number[]) =>
    listPaymentIdsOfLines(books, [
      ...lines,
      ...listLineIdsOfPayouts(books, listPayoutIdsOfDeposits(books, lines)),
    ]);
  const ofPayouts = (payouts: readonly number[]) =>
    listPaymentIdsOfLines(books, listLineIdsOfPayouts(books, payouts));
  switch (kind) {
    case 'payment':
      return [id];
    case 'statement':
      return listPaymentIdsOfStatement(books, id);
    case 'webhook': {
      const subject = findWebhookSubject(cache, id);
      if (subject === null) return [];
      if (subject.transaction !== null) return [subject.transaction];
      return subject.statement === null ? [] : listPaymentIdsOfStatement(books, subject.statement);
    }
    case 'match':
      return [...listPaymentIdsOfMatch(books, id), ...ofPayouts(listPayoutIdsOfMatch(books, id))];
    case 'payout':
      return ofPayouts([id]);
    case 'line':
      return ofLines([id]);
    case 'ledger-line':
      return ofLines(listLineIdsOfLedgerLine(books, id));
  }
}

/** Returns the steps of a payment's trail. Every step is listed, also without records. */
function listSteps({ cache, books }: ReadOnlySite, payment: Payment): PaymentTrail['steps'] {
  const { id, statement_id, currency } = payment;
  const own = listMatchIdsOfPayment(books, id);
  const reported = listLineIdsOfMatches(books, own);
  const payouts = listPayoutIdsOfLines(books, reported);
  const matches = [...new Set([...own, ...listMatchIdsOfPayouts(books, payouts)])];
  const lines = listLineIdsOfMatches(books, matches);
  const charges = listTrailTransactions(cache, statement_id).filter(
    (transaction) => findTypeEffect(transaction)?.transaction_type === 'charge',
  );
  const limit = MAX_RECORDS + 1;
  const records: Record<TrailStep, readonly TrailRecord[]> = {
    charge: charges.map(({ transaction_type: _type, type: _name, ...charge }) => ({ ...charge, currency })),
    statement: listTrailStatement(cache, statement_id).map((statement) => ({ ...statement, currency })),
    payment: [toPaymentRecord(payment)],
    webhook: listTrailWebhooks(cache, payment),
    match: listTrailMatches(books, matches, limit),
    payout: listTrailPayouts(books, payouts, limit),
    line: listTrailLines(books, lines, limit),
    'ledger-line': listTrailLedgerLines(books, lines, limit),
  };
  return (Object.keys(records) as TrailStep[]).map((step) => ({
    step,
    records: records[step].slice(0, MAX_RECORDS),
    complete: records[step].length <= MAX_RECORDS,
  }));
}

function toPaymentRecord({ id, paid_on, memo, kind, amount_in_cents, currency }: Payment): TrailRecord {
  return { id, dated_on: paid_on, at: null, title: memo ?? '', detail: kind, amount_in_cents, currency };
}
