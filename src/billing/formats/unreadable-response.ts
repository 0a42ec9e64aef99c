/** Thrown if a response cannot be read. Callers that know the request convert it to a BillingError. */
export class UnreadableResponseError extends Error {
  /** True if a retry may help, for example after a truncated response. */
  readonly isRetryable: boolean;
  constructor(reason: string, again: boolean) {
    super(reason);
    this.isRetryable = again;
  }
}
