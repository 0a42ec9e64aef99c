import { ORPCError } from '@orpc/client';
import type { ErrorCode, ErrorData, ErrorValue } from './errors.ts';

/**
 * Makes an error of the contract, to be thrown by a handler. In a file of its own: what throws one need not load all that the
 * contract consists of.
 */
export function contractError(error: ErrorValue): ORPCError<ErrorCode, ErrorData> {
  const { code, message, ...data } = error;
  return new ORPCError(code, { message, data });
}
