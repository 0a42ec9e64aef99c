import { ORPCError } from '@orpc/client';
import type { ErrorCode, ErrorData, ErrorValue } from './errors.ts';

/**
 * Creates an error of the contract for a handler to throw. It is in its own file, so that throwing an error does not load
 * the whole contract.
 */
export function contractError(error: ErrorValue): ORPCError<ErrorCode, ErrorData> {
  const { code, message, ...data } = error;
  return new ORPCError(code, { message, data });
}
