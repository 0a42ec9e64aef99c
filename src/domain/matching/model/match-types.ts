import type { BankLineKind } from '../../bankfiles/model/line-kind.ts';
import type { CalendarDate, Cents } from '../../ledger/index.ts';

/**
 * An account whose lines are matched. `processor` contains payout reports, whose lines are gross; `ledger` is an
 * export of the merchant's own books.
 */
export interface MatchAccount {
  readonly id: number;
  /** Account name. Breaks ties, so that results do not depend on the order in which accounts were created. */
  readonly name: string;
  readonly kind: 'bank' | 'processor' | 'ledger';
  /** Arrival window in days after a payment. If null, it is learned from matches proved by ids. */
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
  readonly kind: BankLineKind;
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
  /** Amount that decisions have already matched to a bank deposit. The default is zero. */
  readonly deposited_in_cents?: Cents;
}

/** Signed amount in cents of a line or payment that a decision has claimed. Only the remainder is matched. */
export interface ClaimedAmount {
  readonly of: 'line' | 'payment';
  readonly id: number;
  readonly amount_in_cents: Cents;
}

/** A declined match. Neither the match nor any of its pairs is proposed again. */
export type DeclinedMatch = { readonly lines: readonly number[]; readonly payments: readonly number[] };

/** A condition of a match rule. One line must meet all conditions of a rule. Texts are compared without case. */
export type MatchRuleCondition =
  | {
      readonly field: 'text' | 'description' | 'reference' | 'counterparty' | 'bank_id';
      readonly is: 'contains' | 'words' | 'equals' | 'begins' | 'ends' | 'empty';
      readonly value: string;
    }
  | { readonly field: 'amount'; readonly from_in_cents: Cents | null; readonly to_in_cents: Cents | null }
  | { readonly field: 'account'; readonly accounts: readonly number[] }
  | { readonly field: 'kind'; readonly kinds: readonly MatchLine['kind'][] };

/** Action of a match rule: explain a line without a payment, or tolerate a difference from a payment. */
export type MatchRuleAction =
  | { readonly do: 'categorize'; readonly category: string }
  | { readonly do: 'ignore' }
  | {
      readonly do: 'tolerate';
      readonly category: string;
      readonly max_in_cents: Cents;
      /** Maximum allowed difference in basis points of the payment's amount. */
      readonly max_basis_points: number | null;
    };

/**
 * A user-defined match rule. The first rule whose conditions are met explains the line. Rules that tolerate a
 * difference are applied separately.
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
/** Id of a matching pass, in the order of execution. */
export type MatchPassId = (typeof matchPassIds)[number];

export type MatchStatus = 'confirmed' | 'suggested' | 'ambiguous';

/** Amount that a match claims of a line or payment, with the sign of the complete amount, which it never exceeds. */
export type MatchShare = { readonly id: number; readonly allocated_in_cents: Cents };

export interface MatchAdjustment {
  readonly category: string;
  readonly amount_in_cents: Cents;
  readonly reason: string | null;
}

/** A fact that proves a match: a quoted id, the customer's name or number, or the amount alone. */
export interface CertificateFact {
  readonly fact: 'id' | 'name' | 'subscription' | 'amount' | 'payout' | 'reversal';
  /** The quoted id or number, if the fact has one. */
  readonly value?: string | undefined;
  /** Line and payment that the fact connects, if the match has several. A reversal's payment is the reversed one. */
  readonly line?: number | undefined;
  readonly payment?: number | undefined;
}

/** Other payments or lines of the same amount within the window, and the facts that exclude them. */
export interface ExcludedAlternatives {
  readonly considered: number;
  /** Number of alternatives that have another confirmed match. */
  readonly matched: number;
  /** Number of alternatives that the quoted id excludes. */
  readonly id: number;
  /** Number of alternatives that the named payer excludes. */
  readonly name: number;
}

/** Proof of an automatic confirmed match. Another program can verify it against the rows. */
export interface MatchCertificate {
  readonly facts: readonly CertificateFact[];
  /** Days from a payment to its line within which alternatives were considered. */
  readonly window: { readonly from_days: number; readonly to_days: number };
  /** Days within which money usually arrives. */
  readonly usual: { readonly from_days: number; readonly to_days: number };
  /** Estimated share of ids with a typing error in the line's column. */
  readonly slip_rate: number;
  /** Null for matches of several lines or payments, and for payouts and reversals. */
  readonly payments: ExcludedAlternatives | null;
  readonly lines: ExcludedAlternatives | null;
}

/** A comparison made for a match and its result. The reason with the field `proof` has the certificate. */
export type MatchReason = {
  readonly field: string;
  readonly text: string;
  /** True if the reason is evidence against the match. */
  readonly against?: boolean | undefined;
  readonly certificate?: MatchCertificate | undefined;
};

/** A match of lines with payments: lines = payments + adjustments + difference (0 if confirmed). */
export interface MatchGroup {
  /** Key of the match, always the same for the same members. */
  readonly key: string;
  readonly rule: MatchPassId;
  /** The user's rule that created the match or whose tolerance it uses. */
  readonly user_rule: number | null;
  readonly status: MatchStatus;
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
  readonly payout: { readonly account: number; readonly payout_id: string } | null;
  /** Payment reversed by a chargeback or an unlisted refund. The match claims no part of this payment. */
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
  readonly net_in_cents: Cents;
  readonly stated_in_cents: Cents | null;
  /** Bank line of the payout's confirmed deposit, with its amount. */
  readonly deposit: MatchShare | null;
  /** Deposited (or else stated) amount minus net amount, in cents; 0 if neither is known. */
  readonly unexplained_in_cents: Cents;
}

export interface MatchPassCount {
  readonly rule: MatchPassId;
  readonly confirmed: number;
  readonly suggested: number;
  readonly ambiguous: number;
}

/** Result of a matching run. Matches are built while they are read, because a million would not fit in memory. */
export interface MatchingResult {
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
