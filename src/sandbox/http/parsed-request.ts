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

/** Returns the range of requested row indexes. Its end is the index after the last row. */
export function readRequestedRowRange(
  query: URLSearchParams,
  defaultPerPage: number,
  maxPerPage: number,
): [from: number, to: number] {
  const perPage = Math.min(readPositiveInteger(query, 'per_page') ?? defaultPerPage, maxPerPage);
  const page = readPositiveInteger(query, 'page') ?? 1;
  return [(page - 1) * perPage, page * perPage];
}

function readPositiveInteger(query: URLSearchParams, name: string): number | null {
  const text = query.get(name) ?? '';
  return /^\d{1,15}$/.test(text) && Number(text) >= 1 ? Number(text) : null;
}
