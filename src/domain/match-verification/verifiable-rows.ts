/** Rows and matches that the verification reads. Defined here, so that it shares nothing with the matcher. */

export interface VerifiableLine {
  readonly id: number;
  readonly account: number;
  readonly booked_on: string;
  readonly amount_in_cents: number;
  readonly currency: string;
  readonly description: string;
  readonly reference: string | null;
  readonly counterparty: string | null;
  readonly gateway_transaction_id: string | null;
}

export interface VerifiablePayment {
  readonly id: number;
  readonly statement_id: number;
  readonly payment_id: number | null;
  readonly subscription_id: number | null;
  readonly paid_on: string;
  readonly amount_in_cents: number;
  readonly currency: string;
  readonly gateway_transaction_id: string | null;
  readonly names: readonly string[];
}

export type Share = { readonly id: number; readonly allocated_in_cents: number };

/** A confirmed match. `certificate` is null for a person's decision and for a match by a person's rule. */
export interface VerifiableMatch {
  readonly id: number | string;
  readonly lines: readonly Share[];
  readonly payments: readonly Share[];
  readonly adjustments: readonly { readonly amount_in_cents: number }[];
  readonly certificate: VerifiableCertificate | null;
}

export type DayRange = { readonly from_days: number; readonly to_days: number };

export interface VerifiableCertificate {
  readonly facts: readonly { readonly fact: string; readonly value?: string | undefined }[];
  readonly window: DayRange;
  readonly usual: DayRange;
  readonly slip_rate: number;
}

export interface MatchProblem {
  readonly match: number | string;
  readonly problem: string;
}
