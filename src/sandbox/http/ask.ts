import type { Service } from '../service.ts';
import type { Format } from './reply.ts';

/** A request, as the routes see it. */
export interface Ask {
  readonly service: Service;
  readonly format: Format;
  readonly query: URLSearchParams;
  /** The numbers of the path, in order. */
  readonly numbers: readonly number[];
  /** The decoded body of a POST. */
  readonly body: unknown;
}

/** A page number or size from the query: a whole number, at least 1, else what stands in for it. */
export function count(
  query: URLSearchParams,
  name: string,
  otherwise: number,
  most = Number.MAX_SAFE_INTEGER,
): number {
  const text = query.get(name);
  const value = text !== null && /^\d{1,15}$/.test(text) ? Number(text) : 0;
  return Math.min(value >= 1 ? value : otherwise, most);
}
