/** An answer as a whole cannot be read; becomes a BillingError where the call is known. */
export class Unreadable extends Error {
  /** Whether asking again may help: a cut answer, not a wrong server. */
  readonly again: boolean;
  constructor(reason: string, again: boolean) {
    super(reason);
    this.again = again;
  }
}
