import { ORPCError } from '@orpc/client';
import type { ContractErrorData, ErrorCode, ErrorValue } from './errors.ts';

// These functions are in a separate file, so that throwing an error does not load the entire contract.

/** Creates an error of the contract for a handler to throw. */
export function createContractError(error: ErrorValue): ORPCError<ErrorCode, ContractErrorData> {
  const { code, message, ...data } = error;
  return new ORPCError(code, { message, data });
}

/** Creates a contract error for a call that fails again unless the user changes something. */
export const createNonRetryableError = (
  code: ErrorCode,
  message: string,
  hint?: string,
  detail?: ContractErrorData['detail'],
): ORPCError<ErrorCode, ContractErrorData> =>
  createContractError({
    code,
    message,
    ...(hint !== undefined && { hint }),
    ...(detail !== undefined && { detail }),
    retryable: false,
  });
