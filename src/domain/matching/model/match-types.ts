import type { LineKind } from '../../bankfiles/model/line-kind.ts';
import type { CalendarDate, Cents } from '../../ledger/index.ts';

/**
 * `bank`: money at a bank. `processor`: payout reports, whose lines are gross. `ledger`: an export of the merchant's own
 * books.
 */
export interface MatchAccount {
  readonly id: number;
  /** Breaks ties, so that the order in which accounts were created does not. */
  readonly name: string;
  readonly kind: 'bank' | 'processor' | 'ledger';
  /**
   * Days after the payment (negative: before) within which its money may arrive. Null: learned from matches proved by
   * ids, else the default.
   */
  readonly window: { readonly from_days: number; readonly to_days: number } | null;
}

/** A line of an account. Its texts are read once and not kept. */
export interface MatchLine {
  readonly id: number;
  readonly account: number;
  readonly booked_on: CalendarDate;
  readonly value_on: CalendarDate | null;
  /** Positive for money received. Gross in a payout report. */
  readonly amount_in_cents: Cents;
  readonly currency: string;
  readonly kind: LineKind;
  readonly description: string;
  readonly reference: string | null;
  readonly counterparty: string | null;
  readonly bank_id: string | null;
  readonly payout_id: string | null;
  readonly gateway_transaction_id: string | null;
  /** Processor's fee. A cost is positive. */
  readonly fee_in_cents: Cents | null;
  readonly net_in_cents: Cents | null;
}

/** A successful payment of the statements, or a refund. */
export interface MatchPayment {
  /** The service's transaction id. */
  readonly id: number;
  readonly kind: 'payment' | 'refund';
  readonly statement_id: number;
  readonly subscription_id: number | null;
  readonly payment_id: number | null;
  readonly paid_on: CalendarDate;
  /** Positive for money received, negative for a refund. */
  readonly amount_in_cents: Cents;
  readonly currency: string;
  readonly gateway_transaction_id: string | null;
  /** Complete names of the customer: person and organization. */
  readonly names: readonly string[];
}

/** What a report states about a payout besides its lines. Other payouts are known from their lines alone. */
export interface MatchPayout {
  readonly account: number;
  readonly payout_id: string;
  /** If absent, the currency of its lines. */
  readonly currency?: string;
  readonly paid_on: CalendarDate | null;
  readonly stated_in_cents: Cents | null;
  /**
   * Amount that decisions have already found at the bank. If absent, nothing, unless the report's own payout line is
   * claimed.
   */
  readonly deposited_in_cents?: Cents;
}

/**
 * Cents already claimed by a decision. Only the rest of the line or payment is matched. Same sign as the complete amount.
 */
export interface ClaimedAmount {
  readonly of: 'line' | 'payment';
  readonly id: number;
  readonly amount_in_cents: Cents;
}

/** A declined proposal: neither the same match nor any of its pairs is proposed again. */
export interface DeclinedMatch {
  readonly lines: readonly number[];
  readonly payments: readonly number[];
}

/** A condition of a rule. All conditions must hold for the same line. Texts are compared without case. */
export type MatchRuleCondition =
  | {
      readonly field: 'text' | 'description' | 'reference' | 'counterparty' | 'bank_id';
      readonly is: 'contains' | 'words' | 'equals' | 'begins' | 'ends' | 'empty';
      readonly value: string;
    }
  | {
      readonly field: 'amount';
      readonly from_in_cents: Cents | null;
      readonly to_in_cents: Cents | null;
    }
  | { readonly field: 'account'; readonly accounts: readonly number[] }
  | { readonly field: 'kind'; readonly kinds: readonly MatchLine['kind'][] };

/** `categorize` and `ignore` explain the line without a payment. `tolerate` allows a difference from a payment. */
export type MatchRuleAction =
  | { readonly do: 'categorize'; readonly category: string }
  | { readonly do: 'ignore' }
  | {
      readonly do: 'tolerate';
      /** Category of the adjustment for the difference. */
      readonly category: string;
      /** Maximum difference in cents. */
      readonly max_in_cents: Cents;
      /** Maximum difference in basis points of the payment's amount. */
      readonly max_basis_points: number | null;
    };

/** A user's rule. The first rule whose conditions hold explains the line. Tolerances are searched separately. */
export interface MatchRule {
  readonly id: number;
  readonly conditions: readonly MatchRuleCondition[];
  readonly action: MatchRuleAction;
}

/** Complete input of the engine. Only the order of `rules` matters. */
export interface MatchInput {
  readonly accounts: readonly MatchAccount[];
  readonly payments: Iterable<MatchPayment>;
  readonly lines: Iterable<MatchLine>;
  readonly payouts?: Iterable<MatchPayout>;
  readonly claims?: Iterable<ClaimedAmount>;
  readonly declined?: Iterable<DeclinedMatch>;
  readonly rules?: readonly MatchRule[];
  /** Number of rows if known in advance, which reduces memory. */
  readonly expected?: { readonly payments: number; readonly lines: number } | undefined;
}

export const matchPassIds = [
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
/** The passes in order. A match by a user's rule has `user-rule` and the rule's id. */
export type MatchPassId = (typeof matchPassIds)[number];

export type MatchStatus = 'confirmed' | 'suggested' | 'ambiguous';

/** The amount of a line or payment that a match claims. Same sign as its amount, never more. */
export interface MatchShare {
  readonly id: number;
  readonly allocated_in_cents: Cents;
}

export interface MatchAdjustment {
  readonly category: string;
  readonly amount_in_cents: Cents;
  readonly reason: string | null;
}

/** What was compared, and the result. */
export interface MatchReason {
  readonly field: string;
  readonly text: string;
}

/**
 * Lines on one side, payments on the other. Lines = payments + adjustments + difference. The difference of a confirmed
 * match is 0.
 */
export interface MatchGroup {
  /** The same for the same members, whatever else was found. */
  readonly key: string;
  readonly rule: MatchPassId;
  /** The user's rule that made the match or whose tolerance it uses. */
  readonly user_rule: number | null;
  readonly status: MatchStatus;
  /** 0 to 100. */
  readonly score: number;
  readonly currency: string;
  /** The earliest booking date of its lines. */
  readonly dated_on: CalendarDate;
  readonly lines: readonly MatchShare[];
  /** Empty if there are too many candidates to propose one, or if no payment is involved. */
  readonly payments: readonly MatchShare[];
  readonly adjustments: readonly MatchAdjustment[];
  readonly difference_in_cents: Cents;
  /** Number of alternatives. They are counted, not listed. */
  readonly alternatives: number;
  readonly reasons: readonly MatchReason[];
  /** The payout that a deposit pays. */
  readonly payout: { readonly account: number; readonly payout_id: string } | null;
  /** The payment reversed by a chargeback or refund that is no payment itself. Nothing of it is claimed. */
  readonly reverses: number | null;
}

/** A payout from gross to net. Signs are those of the processor's balance: a fee is negative. */
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
  /** The line of its confirmed deposit, and the amount. */
  readonly deposit: MatchShare | null;
  /** Amount deposited (else stated) minus net. 0 if neither is known. */
  readonly unexplained_in_cents: Cents;
}

export interface MatchPassCount {
  readonly rule: MatchPassId;
  readonly confirmed: number;
  readonly suggested: number;
  readonly ambiguous: number;
}

/**
 * Result of the matching. Matches are composed while they are read, so that a million of them are never held in memory.
 */
export interface MatchingResult {
  /** All passes in order. */
  readonly passes: readonly MatchPassCount[];
  readonly confirmed: number;
  readonly suggested: number;
  readonly ambiguous: number;
  /** Number of lines and payments that no confirmed match or decision explains completely. */
  readonly unmatched_lines: number;
  readonly unmatched_payments: number;
  /** Yields the matches in the order of the passes, then of the dates. Can be called repeatedly. */
  groups(): Iterable<MatchGroup>;
  payouts(): Iterable<PayoutBridge>;
  /** Sentences about work that was limited or skipped. */
  readonly remarks: readonly string[];
}
