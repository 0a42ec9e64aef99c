import type { RequestEvent } from '../../../billing/index.ts';
import type { SyncRun } from '../../../contract/index.ts';
import type { Tally } from '../../store/sqlite/upsert.ts';
import { createFailureLimit, type FailureLimit } from './failure-limit.ts';
import { computeMinimumRequests, type RequestMinimumInputs } from './request-minimum.ts';

/** Running totals of a sync. */
export interface RunTally {
  readonly minimumInputs: RequestMinimumInputs;
  /** Limit of failures in a row. Every answered request resets it. */
  readonly failureLimit: FailureLimit;
  /** Number of requests that the billing service answered without an error. */
  answered: number;
  bytes: number;
  /** Number of sync units that could not be read. The problems describe each. */
  failed: number;
  recordRequest(event: RequestEvent): void;
  /** Adds the numbers of inserted and changed rows of a table. */
  recordRows(table: string, writtenRows: Pick<Tally, 'inserted' | 'changed'>): void;
  requestCounts(): SyncRun['requests'];
  written(): SyncRun['rows'];
}

/** Creates the totals of one sync. */
export function createRunTally(): RunTally {
  const byKind: Record<string, number> = {};
  const written: Record<string, number> = {};
  let total = 0;
  const minimumInputs: RequestMinimumInputs = {
    webhooks: { rowsPerPage: 200, backfilled: null, arrived: null, failed: null, departed: 0 },
    statements: { ids: null, idsPerPage: 10_000, rowsPerPage: 20, wanted: [], discovered: 0 },
    allocations: [],
    pdfs: 0,
  };
  return {
    minimumInputs: minimumInputs,
    failureLimit: createFailureLimit(),
    answered: 0,
    bytes: 0,
    failed: 0,
    recordRequest({ kind, bytes, error }) {
      total++;
      if (error === undefined) {
        this.answered++;
        this.failureLimit.recordSuccess();
      }
      byKind[kind] = (byKind[kind] ?? 0) + 1;
      this.bytes += bytes ?? 0;
    },
    recordRows(table, { inserted, changed }) {
      if (inserted + changed > 0) written[table] = (written[table] ?? 0) + inserted + changed;
    },
    requestCounts: () => ({ total, minimum: computeMinimumRequests(minimumInputs), by_kind: { ...byKind } }),
    written: () => ({ ...written }),
  };
}
