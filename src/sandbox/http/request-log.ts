/** Kinds of requests, one per operation of the interface. */
export const requestKinds = [
  ...(['webhooks', 'replay', 'allocations', 'allocate', 'allocate_many', 'statement_ids'] as const),
  ...([
    'subscription_statement_ids',
    'statements',
    'statement',
    'pdf',
    'site',
    'endpoints',
    'events',
    'unknown',
  ] as const),
] as const;

export type RequestKind = (typeof requestKinds)[number];

export interface RequestRecord {
  readonly kind: RequestKind;
  readonly method: string;
  /** Path and query of the logged request. */
  readonly url: string;
  status: number;
  readonly startedAt: number;
  milliseconds: number;
}

const MAX_LOGGED_REQUESTS = 20_000;

/** Logs and counts requests, for tests that compare their number with the request minimum. */
export class RequestLog {
  total = 0;
  inFlight = 0;
  /** Highest number of concurrent requests so far. */
  peak = 0;
  /** Number of response body bytes sent so far. */
  bytes = 0;
  byKind: Partial<Record<RequestKind, number>> = {};
  byStatus: Record<number, number> = {};
  /** Most recent requests, oldest first. */
  log: RequestRecord[] = [];

  begin(kind: RequestKind, method: string, url: string): RequestRecord {
    const startedAt = performance.now();
    const record: RequestRecord = { kind, method, url, status: 0, startedAt, milliseconds: 0 };
    this.total++;
    this.inFlight++;
    this.peak = Math.max(this.peak, this.inFlight);
    this.byKind[kind] = (this.byKind[kind] ?? 0) + 1;
    this.log.push(record);
    if (this.log.length > MAX_LOGGED_REQUESTS) this.log.splice(0, MAX_LOGGED_REQUESTS / 2);
    return record;
  }

  end(record: RequestRecord, status: number, bytes: number): void {
    this.inFlight--;
    this.bytes += bytes;
    this.byStatus[status] = (this.byStatus[status] ?? 0) + 1;
    record.status = status;
    record.milliseconds = performance.now() - record.startedAt;
  }

  reset(): void {
    this.total = 0;
    this.peak = this.inFlight;
    this.bytes = 0;
    this.byKind = {};
    this.byStatus = {};
    this.log = [];
  }

  counts(): Pick<RequestLog, 'total' | 'inFlight' | 'peak' | 'bytes' | 'byKind' | 'byStatus'> {
    const { total, inFlight, peak, bytes, byKind, byStatus } = this;
    return { total, inFlight, peak, bytes, byKind: { ...byKind }, byStatus: { ...byStatus } };
  }
}
