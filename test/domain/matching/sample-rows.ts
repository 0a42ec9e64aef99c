import {
  type MatchAccount,
  type MatchGroup,
  type MatchInput,
  type MatchLine,
  type MatchPayment,
  runMatching,
} from '../../../src/domain/matching/index.ts';

export const bank: MatchAccount = { id: 1, name: 'Current account', kind: 'bank', window: null };
export const processor: MatchAccount = { id: 2, name: 'Card processor', kind: 'processor', window: null };

/** Creates a payment with default values that match no line. */
export function payment(given: Partial<MatchPayment> & Pick<MatchPayment, 'id'>): MatchPayment {
  return {
    kind: 'payment',
    statement_id: given.id + 5_000_000,
    subscription_id: given.id + 7_000_000,
    payment_id: given.id,
    paid_on: '2026-03-02',
    amount_in_cents: 4900,
    currency: 'USD',
    gateway_transaction_id: null,
    names: [],
    ...given,
  };
}

export function line(given: Partial<MatchLine> & Pick<MatchLine, 'id'>): MatchLine {
  return {
    account: bank.id,
    booked_on: '2026-03-04',
    value_on: null,
    amount_in_cents: 4900,
    currency: 'USD',
    kind: 'entry',
    description: 'Incoming payment',
    reference: null,
    counterparty: null,
    bank_id: null,
    payout_id: null,
    gateway_transaction_id: null,
    fee_in_cents: null,
    net_in_cents: null,
    ...given,
  };
}

export type SampleRows = Partial<MatchInput> & Pick<MatchInput, 'payments' | 'lines'>;

export function runGroups(rows: SampleRows): MatchGroup[] {
  return [...runMatching({ accounts: [bank, processor], ...rows }).groups()];
}

/**
 * Returns sorted summaries, for example `confirmed gateway-id 1=100 ?2`. Line ids precede the equals sign, payment ids
 * follow it, and the number after `?` counts the alternatives.
 */
export function summarizeGroups(rows: SampleRows): string[] {
  return runGroups(rows).map(summarize).sort();
}

export function summarize({ status, rule, lines, payments, alternatives }: MatchGroup): string {
  const ids = (shares: readonly { id: number }[]): string => shares.map(({ id }) => id).join('+');
  return `${status} ${rule} ${ids(lines)}=${ids(payments)}${alternatives > 0 ? ` ?${alternatives}` : ''}`;
}
