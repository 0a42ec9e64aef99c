import type { JsonValue } from './value.ts';

/** Why a call failed. The same words as the contract's codes, so that they pass through unchanged. */
export type BillingErrorCode =
  | 'auth'
  | 'forbidden'
  | 'not_found'
  | 'validation'
  | 'conflict'
  | 'rate_limited'
  | 'network'
  | 'timeout'
  | 'service'
  | 'cancelled';

export interface BillingErrorFacts {
  hint?: string;
  status?: number;
  /** The `errors` of a 422 or 409, word for word. */
  errors?: string[];
  retry_after_ms?: number;
  /** Whether the same call may succeed later without anybody changing anything. */
  retryable?: boolean;
  /** A write that may or may not have been done: look it up before it is sent again. */
  outcome_unknown?: boolean;
  detail?: Record<string, JsonValue>;
}

/** The one error of this part: a sentence for people, and facts for programs. Never holds a key. */
export class BillingError extends Error {
  override readonly name = 'BillingError';
  readonly code: BillingErrorCode;
  readonly hint: string | undefined;
  readonly status: number | undefined;
  readonly errors: string[] | undefined;
  readonly retry_after_ms: number | undefined;
  readonly retryable: boolean;
  readonly outcome_unknown: boolean;
  readonly detail: Record<string, JsonValue>;

  constructor(code: BillingErrorCode, message: string, facts: BillingErrorFacts = {}) {
    super(message);
    this.code = code;
    this.hint = facts.hint;
    this.status = facts.status;
    this.errors = facts.errors;
    this.retry_after_ms = facts.retry_after_ms;
    this.retryable = facts.retryable ?? false;
    this.outcome_unknown = facts.outcome_unknown ?? false;
    this.detail = facts.detail ?? {};
  }
}

export function cancelled(what: string, outcomeUnknown = false): BillingError {
  return new BillingError('cancelled', `Stopped: ${what}.`, { outcome_unknown: outcomeUnknown });
}
