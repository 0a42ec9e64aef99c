/** Thrown for a request body that cannot be accepted. Carries the status to answer. */
export class RefusedBodyError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
