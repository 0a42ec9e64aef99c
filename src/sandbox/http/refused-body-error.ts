/** Thrown if a request body cannot be accepted. Carries the HTTP status of the response. */
export class RefusedBodyError extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}
