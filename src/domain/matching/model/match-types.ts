import type { LineKind } from '../../bankfiles/model/line-kind.ts';
import type { CalendarDate, Cents } from '../../ledger/index.ts';

/**
 * An account whose lines are matched. `bank` contains money at a bank. `processor` contains payout reports, whose lines
 * are gross. `ledger` is an export of the merchant's own books.
 */
export interface MatchAccount {
  readonly id: number;
  /** Account name. Breaks ties, so that results do not depend on the order in which accounts were created. */
  readonly name: string;
  readonly kind: 'bank' | 'processor' | 'ledger';
  /**
   * Days after a payment (negative: before it) within which its money may arrive. If null, the range is learned from
   * matches proved by ids, or the default is used.
   */
  readonly window: { readonly from_days: number; readonly to_days: number } | null;
}

/** A bank line to be matched. Its texts are read only once and not stored. */
export interface MatchLine {
  readonly id: number;
  readonly account: number;
  readonly booked_on: CalendarDate;
  readonly value_on: CalendarDate | null;
  /** Amount in cents, positive for money received. In a payout report, the gross amount. */
  readonly amount_in_cents: Cents;
  readonly currency: string;
  readonly kind: LineKind;
  readonly description: string;
  readonly reference: string | null;
  readonly counterparty: string | null;
  readonly bank_id: string | null;
  readonly payout_id: string | null;
  readonly gateway_transaction_id: string | null;
  /** Processor's fee in cents. A cost is positive. */
  readonly fee_in_cents: Cents | null;
  readonly net_in_cents: Cents | null;
}

/** A successful payment or a refund listed on a statement. */
export interface MatchPayment {
  /** The service's transaction id. */
  readonly id: number;
  readonly kind: 'payment' | 'refund';
  readonly statement_id: number;
  readonly subscription_id: number | null;
  readonly payment_id: number | null;
  readonly paid_on: CalendarDate;
  /** Amount in cents, positive for money received and negative for a refund. */
  readonly amount_in_cents: Cents;
  readonly currency: string;
  readonly gateway_transaction_id: string | null;
  /** Full names of the customer: person and organization. */
  readonly names: readonly string[];
}

/** Information in a report about a payout, apart from its lines. Other payouts are only known from their lines. */
export interface MatchPayout {
  readonly account: number;
  readonly payout_id: string;
  /** Currency of the payout. The default is the currency of its lines. */
  readonly currency?: string;
  readonly paid_on: CalendarDate | null;
  readonly stated_in_cents: Cents | null;
  /**
   * Amount that decisions have already matched to a bank deposit. The default is zero, unless the report's own payout
   * line is claimed.
   */
  readonly deposited_in_cents?: Cents;
}

/**
 * Amount in cents of a line or payment that a decision has already claimed. Only the remainder is matched. It has the
 * same sign as the complete amount.
 */
export interface ClaimedAmount {
  readonly of: 'line' | 'payment';
  readonly id: number;
  readonly amount_in_cents: Cents;
}

/** A declined match. Neither the match nor any of its pairs is proposed again. */
export interface DeclinedMatch {
  readonly lines: readonly number[];
  readonly payments: readonly number[];
}

/**
 * A condition of a match rule. All conditions of a rule must be met by the same line. Texts are compared without case.
 */
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

/**
 * Action of a match rule. `categorize` and `ignore` explain a line without a payment. `tolerate` allows a difference from
 * a payment.
 */
export type MatchRuleAction =
  | { readonly do: 'categorize'; readonly category: string }
  | { readonly do: 'ignore' }
  | {
      readonly do: 'tolerate';
      /** Category of the adjustment that accounts for the difference. */
      readonly category: string;
      /** Maximum allowed difference in cents. */
      readonly max_in_cents: Cents;
      /** Maximum allowed difference in basis points of the payment's amount. */
      readonly max_basis_points: number | null;
    };

/**
 * A user-defined match rule. The first rule whose conditions are met explains the line. Rules that tolerate a difference
 * are applied separately.
 */
export interface MatchRule {
  readonly id: number;
  readonly conditions: readonly MatchRuleCondition[];
  readonly action: MatchRuleAction;
}

/** Complete input of a matching run. Only the order of `rules` matters. */
export interface MatchInput {
  readonly accounts: readonly MatchAccount[];
  readonly payments: Iterable<MatchPayment>;
  readonly lines: Iterable<MatchLine>;
  readonly payouts?: Iterable<MatchPayout>;
  readonly claims?: Iterable<ClaimedAmount>;
  readonly declined?: Iterable<DeclinedMatch>;
  readonly rules?: readonly MatchRule[];
  /** Number of rows if known in advance, which saves memory. */
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
/**
 * Id of a matching pass, in the order of execution. A match made by a user's rule has `user-rule` and the id of the rule.
 */
export type MatchPassId = (typeof matchPassIds)[number];

export type MatchStatus = 'confirmed' | 'suggested' | 'ambiguous';

/** Amount of a line or payment that a match claims. It has the same sign as the complete amount and never exceeds it. */
export interface MatchShare {
  readonly id: number;
  readonly allocated_in_cents: Cents;
}

export interface MatchAdjustment {
  readonly category: string;
  readonly amount_in_cents: Cents;
  readonly reason: string | null;
}

/** A comparison made for a match and its result. */
export interface MatchReason {
  readonly field: string;
  readonly text: string;
}

/**
 * A match with lines on one side and payments on the other: lines = payments + adjustments + difference. The difference
 * of a confirmed match is 0.
 */
export interface MatchGroup {
  /** Key of the match, always the same for the same members. */
  readonly key: string;
  readonly rule: MatchPassId;
  /** The user's rule that created the match or whose tolerance it uses. */
  readonly user_rule: number | null;
  readonly status: MatchStatus;
  /** Score from 0 to 100. */
  readonly score: number;
  readonly currency: string;
  /** Earliest booking date of the match's lines. */
  readonly dated_on: CalendarDate;
  readonly lines: readonly MatchShare[];
  /** Matched payments. Empty if there are too many candidates to propose one, or if no payment is involved. */
  readonly payments: readonly MatchShare[];
  readonly adjustments: readonly MatchAdjustment[];
  readonly difference_in_cents: Cents;
  /** Number of alternatives, which are counted but not listed. */
  readonly alternatives: number;
  readonly reasons: readonly MatchReason[];
  /** Payout that the match's deposit pays. */
  readonly payout: { readonly account: number; readonly payout_id: string } | null;
  /** Payment reversed by a chargeback or by a refund that is not listed as a payment. The match claims nothing of it. */
  readonly reverses: number | null;
}

/** A processor's payout from gross to net. Signs follow the processor's balance, so a fee is negative. */
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
  /** Sum of the parts of the payout, in cents. */
  readonly net_in_cents: Cents;
  readonly stated_in_cents: Cents | null;
  /** Bank line of the payout's confirmed deposit, with its amount. */
  readonly deposit: MatchShare | null;
  /** Amount deposited minus net amount, in cents. Without a deposit, the stated amount is used; 0 if neither is known. */
  readonly unexplained_in_cents: Cents;
}

export interface MatchPassCount {
  readonly rule: MatchPassId;
  readonly confirmed: number;
  readonly suggested: number;
  readonly ambiguous: number;
}

/**
 * Result of a matching run. Matches are built while they are read, so that a million of them are never in memory at once.
 */
export interface MatchingResult {
  /** All passes in order, with their numbers of matches. */
  readonly passes: readonly MatchPassCount[];
  readonly confirmed: number;
  readonly suggested: number;
  readonly ambiguous: number;
  /** Number of lines that no confirmed match or decision explains completely. */
  readonly unmatched_lines: number;
  readonly unmatched_payments: number;
  /** Yields the matches in the order of the passes, then of the dates. Can be called repeatedly. */
  groups(): Iterable<MatchGroup>;
  payouts(): Iterable<PayoutBridge>;
  /** Sentences about work that the run limited or skipped. */
  readonly remarks: readonly string[];
}
