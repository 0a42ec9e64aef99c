import { ORPCError } from '@orpc/client';
import type { ErrorCode, ErrorData, ErrorValue } from './errors.ts';

// In its own file, so that throwing an error does not load the entire contract.

/** Creates an error of the contract for a handler to throw. */
export function contractError(error: ErrorValue): ORPCError<ErrorCode, ErrorData> {
  const { code, message, ...data } = error;
  return new ORPCError(code, { message, data });
}

/** Creates a contract error for a call that fails again unless the user changes something. */
export const nonRetryableError = (
  code: ErrorCode,
  message: string,
  hint?: string,
  detail?: ErrorData['detail'],
): ORPCError<ErrorCode, ErrorData> =>
  contractError({
    code,
    message,
    ...(hint !== undefined && { hint }),
    ...(detail !== undefined && { detail }),
    retryable: false,
  });
