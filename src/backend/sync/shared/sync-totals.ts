import type { RequestEvent } from '../../../billing/index.ts';
import type { SyncRun } from '../../../contract/index.ts';
import type { RowChangeCounts } from '../../store/sqlite/row-upsert.ts';
import { computeRequestMinimum, type RequestMinimumInputs } from './request-minimum.ts';

/** Number of consecutive failures after which the service is considered unavailable. Chosen by judgment. */
const MAX_CONSECUTIVE_FAILURES = 12;

export class SyncTotals {
  readonly minimumInputs: RequestMinimumInputs = {
    webhooks: { rowsPerPage: 200, backfilled: null, arrived: null, failed: null, departed: 0 },
    statements: { ids: null, idsPerPage: 10_000, rowsPerPage: 20, requested: [], discovered: 0 },
    allocations: [],
    pdfs: 0,
  };
  /** Counts failures in a row and throws at the limit. Every successful request resets the count. */
  readonly failureLimit = new FailureLimit();
  /** Number of requests to which the billing service responded without an error. */
  answered = 0;
  bytes = 0;
  /** Number of sync units that could not be read. The recorded problems describe them. */
  failed = 0;
  #requests = 0;
  readonly #requestsByKind: Record<string, number> = {};
  readonly #writtenRows: Record<string, number> = {};

  recordRequest({ kind, bytes, error }: RequestEvent): void {
    this.#requests++;
    if (error === undefined) {
      this.answered++;
      this.failureLimit.recordSuccess();
    }
    this.#requestsByKind[kind] = (this.#requestsByKind[kind] ?? 0) + 1;
    this.bytes += bytes ?? 0;
  }

  recordRows(table: string, { inserted, changed }: Pick<RowChangeCounts, 'inserted' | 'changed'>): void {
    const rows = inserted + changed;
    if (rows > 0) this.#writtenRows[table] = (this.#writtenRows[table] ?? 0) + rows;
  }

  countRequests(): SyncRun['requests'] {
    const minimum = computeRequestMinimum(this.minimumInputs);
    return { total: this.#requests, minimum, by_kind: { ...this.#requestsByKind } };
  }

  /** Returns the number of inserted and changed rows per table. */
  countWrittenRows(): SyncRun['rows'] {
    return { ...this.#writtenRows };
  }
}

/** Ends a sync after too many failures in a row: the service then fails on everything, not only on single records. */
class FailureLimit {
  #consecutiveFailures = 0;

  recordSuccess(): void {
    this.#consecutiveFailures = 0;
  }

  /** Counts a failure. Throws the given error if the limit of failures in a row is reached. */
  recordFailure(error: Error): void {
    this.#consecutiveFailures++;
    if (this.isReached()) throw error;
  }

  isReached(): boolean {
    return this.#consecutiveFailures >= MAX_CONSECUTIVE_FAILURES;
  }
}
