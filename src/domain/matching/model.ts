import type { LineKind } from '../bankfiles/line-kind.ts';
import type { CalendarDate, Cents } from '../ledger/index.ts';
import type { UserRule } from './user-rule.ts';

/** `bank`: money at a bank; `processor`: payout reports, whose lines are gross; `ledger`: an export of the merchant’s own books. */
export interface MatchAccount {
  readonly id: number;
  /** Decides ties, so that the order in which accounts were made does not. */
  readonly name: string;
  readonly kind: 'bank' | 'processor' | 'ledger';
  /** Days after the payment (before it: below 0) in which its money may arrive; null: learned from what ids prove, else the usual. */
  readonly window: { readonly from_days: number; readonly to_days: number } | null;
}

/** A line of an account. Texts are read once and not kept. */
export interface MatchLine {
  readonly id: number;
  readonly account: number;
  readonly booked_on: CalendarDate;
  readonly value_on: CalendarDate | null;
  /** Money received positive; in a payout report the gross. */
  readonly amount_in_cents: Cents;
  readonly currency: string;
  readonly kind: LineKind;
  readonly description: string;
  readonly reference: string | null;
  readonly counterparty: string | null;
  readonly bank_id: string | null;
  readonly payout_id: string | null;
  readonly gateway_transaction_id: string | null;
  /** What the processor kept: a cost is positive. */
  readonly fee_in_cents: Cents | null;
  readonly net_in_cents: Cents | null;
}

/** A successful payment of the statements, or a refund. */
export interface MatchPayment {
  /** The transaction’s id with the service. */
  readonly id: number;
  readonly kind: 'payment' | 'refund';
  readonly statement_id: number;
  readonly subscription_id: number | null;
  readonly payment_id: number | null;
  readonly paid_on: CalendarDate;
  /** Money received positive, a refund negative. */
  readonly amount_in_cents: Cents;
  readonly currency: string;
  readonly gateway_transaction_id: string | null;
  /** The customer: person and organisation, each whole. */
  readonly names: readonly string[];
}

/** What a report says of a batch beside its lines. Batches that are not here are known by their lines alone. */
export interface MatchPayout {
  readonly account: number;
  readonly payout_id: string;
  /** Absent: whatever its lines are in. */
  readonly currency?: string;
  readonly paid_on: CalendarDate | null;
  readonly stated_in_cents: Cents | null;
  /** What decisions have found of it at the bank already. Absent: nothing, unless the report’s own line of the payout is claimed. */
  readonly deposited_in_cents?: Cents;
}

/** Cents that a decision has claimed already: what is left of a line or payment is what there is to match. Same sign as the whole. */
export interface Claim {
  readonly of: 'line' | 'payment';
  readonly id: number;
  readonly amount_in_cents: Cents;
}

/** A proposal somebody said no to: none of its pairs is proposed again, nor the same group. */
export interface Decline {
  readonly lines: readonly number[];
  readonly payments: readonly number[];
}

/** Everything the engine knows. The order of what is in it means nothing, except that of `rules`. */
export interface MatchInput {
  readonly accounts: readonly MatchAccount[];
  readonly payments: Iterable<MatchPayment>;
  readonly lines: Iterable<MatchLine>;
  readonly payouts?: Iterable<MatchPayout>;
  readonly claims?: Iterable<Claim>;
  readonly declined?: Iterable<Decline>;
  readonly rules?: readonly UserRule[];
  /** How many there are, where that is known before: they take less room. */
  readonly expected?: { readonly payments: number; readonly lines: number } | undefined;
}

export const ruleIds = [
  'gateway-id',
  'payout-reference',
  'id-in-text',
  'user-rule',
  'payee',
  'amount-date',
  'payout-days',
  'sum',
  'reversal',
] as const;
/** The passes in their order. A group of a user’s rule has `user-rule` and the rule’s id beside it. */
export type RuleId = (typeof ruleIds)[number];

export type MatchStatus = 'confirmed' | 'suggested' | 'ambiguous';

/** What of a line or payment a group takes; same sign as its amount, never more. */
export interface Share {
  readonly id: number;
  readonly allocated_in_cents: Cents;
}

export interface GroupAdjustment {
  readonly category: string;
  readonly amount_in_cents: Cents;
  readonly reason: string | null;
}

/** What was compared, and how it came out. */
export interface Reason {
  readonly field: string;
  readonly text: string;
}

/** Lines on one side, payments on the other. Lines = payments + adjustments + difference; the difference of a confirmed one is 0. */
export interface MatchGroup {
  /** The same for the same members, whatever else was found. */
  readonly key: string;
  readonly rule: RuleId;
  /** The user’s rule that made it, or whose tolerance it uses. */
  readonly user_rule: number | null;
  readonly status: MatchStatus;
  /** 0 to 100. */
  readonly score: number;
  readonly currency: string;
  /** The earliest booking date of its lines. */
  readonly dated_on: CalendarDate;
  readonly lines: readonly Share[];
  /** Empty in an ambiguous group of too many candidates to propose one, and where no payment is part of it. */
  readonly payments: readonly Share[];
  readonly adjustments: readonly GroupAdjustment[];
  readonly difference_in_cents: Cents;
  /** How many others would fit as well: counted, not listed. */
  readonly rivals: number;
  readonly reasons: readonly Reason[];
  /** The batch a deposit pays out. */
  readonly payout: { readonly account: number; readonly payout_id: string } | null;
  /** The payment a chargeback or refund takes back, where it is no payment of its own; nothing of it is claimed. */
  readonly reverses: number | null;
}

/** A batch from gross to net. Signed as each moves the processor’s balance: a fee is below 0. */
export interface PayoutBridge {
  readonly account: number;
  readonly payout_id: string;
  readonly currency: string;
  readonly paid_on: CalendarDate;
  readonly lines: number;
  readonly parts: readonly {
    readonly category: string;
    readonly count: number;
    readonly amount_in_cents: Cents;
  }[];
  /** Sum of the parts. */
  readonly net_in_cents: Cents;
  readonly stated_in_cents: Cents | null;
  /** The line of its deposit, where one is confirmed, and its amount. */
  readonly deposit: Share | null;
  /** Deposited (else stated) less net. 0 where neither is known. */
  readonly unexplained_in_cents: Cents;
}

export interface PassCount {
  readonly rule: RuleId;
  readonly confirmed: number;
  readonly suggested: number;
  readonly ambiguous: number;
}

/** What matching came to. Groups are put together as they are read, so that a million of them need not be held. */
export interface Matching {
  /** Every pass, in order. */
  readonly passes: readonly PassCount[];
  readonly confirmed: number;
  readonly suggested: number;
  readonly ambiguous: number;
  /** Lines and payments that no confirmed group (nor a decision) explains whole. */
  readonly unmatched_lines: number;
  readonly unmatched_payments: number;
  /** In the order of the passes, then of the days. May be read more than once. */
  groups(): Iterable<MatchGroup>;
  payouts(): Iterable<PayoutBridge>;
  /** What was bounded and left out, in sentences. */
  readonly remarks: readonly string[];
}
