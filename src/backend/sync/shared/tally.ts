import type { RequestEvent } from '../../../billing/index.ts';
import type { SyncRun } from '../../../contract/index.ts';
import type { Tally } from '../../store/sqlite/upsert.ts';
import { type Learned, leastRequests } from './minimum.ts';
import { createStrikes, type Strikes } from './strikes.ts';

/** Running totals of a sync. */
export interface RunTally {
  readonly learned: Learned;
  /** Counts consecutive failures until a request is answered. */
  readonly strikes: Strikes;
  /** Number of requests answered in the way of the billing service. */
  answered: number;
  bytes: number;
  /** Number of units that could not be read. The problems name them. */
  failed: number;
  request(event: RequestEvent): void;
  /** Adds new and changed rows. */
  rows(table: string, written: Pick<Tally, 'inserted' | 'changed'>): void;
  requests(): SyncRun['requests'];
  written(): SyncRun['rows'];
}

/** Creates the totals of one run. */
export function createTally(): RunTally {
  const byKind: Record<string, number> = {};
  const written: Record<string, number> = {};
  let total = 0;
  const learned: Learned = {
    webhooks: { rowsPerPage: 200, backfilled: null, arrived: null, failed: null, departed: 0 },
    statements: { ids: null, idsPerPage: 10_000, rowsPerPage: 20, wanted: [], discovered: 0 },
    allocations: [],
    pdfs: 0,
  };
  return {
    learned,
    strikes: createStrikes(),
    answered: 0,
    bytes: 0,
    failed: 0,
    request({ kind, bytes, error }) {
      total++;
      if (error === undefined) {
        this.answered++;
        this.strikes.good();
      }
      byKind[kind] = (byKind[kind] ?? 0) + 1;
      this.bytes += bytes ?? 0;
    },
    rows(table, { inserted, changed }) {
      if (inserted + changed > 0) written[table] = (written[table] ?? 0) + inserted + changed;
    },
    requests: () => ({ total, minimum: leastRequests(learned), by_kind: { ...byKind } }),
    written: () => ({ ...written }),
  };
}
