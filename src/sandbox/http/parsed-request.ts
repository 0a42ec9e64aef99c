import type { BillingService } from '../billing-service.ts';
import type { Format } from './reply.ts';

/** A parsed request. */
export interface ParsedRequest {
  readonly service: BillingService;
  readonly format: Format;
  readonly query: URLSearchParams;
  /** The numbers in the path, in order. */
  readonly numbers: readonly number[];
  /** The decoded body of a POST. */
  readonly body: unknown;
}

/** Returns a page number or size from the query: an integer of at least 1, or the default. */
export function positiveInteger(
  query: URLSearchParams,
  name: string,
  otherwise: number,
  most = Number.MAX_SAFE_INTEGER,
): number {
  const text = query.get(name);
  const value = text !== null && /^\d{1,15}$/.test(text) ? Number(text) : 0;
  return Math.min(value >= 1 ? value : otherwise, most);
}
