import type { JsonValue } from '../formats/json-value.ts';

/** Reason why a call failed. The codes equal the contract's error codes, so that errors pass through unchanged. */
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
  | 'canceled';

export interface BillingErrorOptions {
  hint?: string;
  status?: number;
  /** The `errors` list of a 422 or 409 response, verbatim. */
  errors?: string[];
  retry_after_ms?: number;
  /** True if the same call may succeed later without any change by the user. */
  retryable?: boolean;
  /** True if a write may or may not have taken effect. Check the outcome before sending it again. */
  outcome_unknown?: boolean;
  detail?: Record<string, JsonValue>;
}

/**
 * The only error thrown by the billing client. It has a message for users and fields for programs, and never contains an
 * API key.
 */
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

  constructor(code: BillingErrorCode, message: string, facts: BillingErrorOptions = {}) {
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

export function createCanceledError(when: string, outcomeUnknown = false): BillingError {
  return new BillingError('canceled', `Canceled ${when}.`, { outcome_unknown: outcomeUnknown });
}
