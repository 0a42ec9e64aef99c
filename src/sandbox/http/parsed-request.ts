import type { BillingService } from '../service/billing-service.ts';
import type { WireFormat } from './reply.ts';

/** A parsed request to the simulated billing service. */
export interface ParsedRequest {
  readonly service: BillingService;
  readonly format: WireFormat;
  readonly query: URLSearchParams;
  /** Numbers in the request path, in order. */
  readonly numbers: readonly number[];
  /** Decoded body of a POST request. */
  readonly body: unknown;
}

/** Returns a page number or page size from the query: an integer of at least 1, or the default. */
export function readPositiveInteger(
  query: URLSearchParams,
  name: string,
  otherwise: number,
  most = Number.MAX_SAFE_INTEGER,
): number {
  const text = query.get(name);
  const value = text !== null && /^\d{1,15}$/.test(text) ? Number(text) : 0;
  return Math.min(value >= 1 ? value : otherwise, most);
}
