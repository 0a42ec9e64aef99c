import { ORPCError } from '@orpc/client';
import { z } from 'zod';

/** Codes of all errors that a call can throw. Views and exit codes depend only on the code. */
export const errorCodes = [
  'auth',
  'forbidden',
  'not_found',
  'validation',
  'conflict',
  'rate_limited',
  'network',
  'timeout',
  'service',
  'canceled',
  'disconnected',
  'storage',
  'corrupt',
  'disk_full',
  'keychain_unavailable',
  'period_locked',
  'internal',
] as const;

export const errorCodeSchema = z.enum(errorCodes);
export type ErrorCode = z.infer<typeof errorCodeSchema>;

/** Data of an error besides its code and message. */
export const contractErrorDataSchema = z.object({
  /** Hint about what to do next, as one sentence. */
  hint: z.string().optional(),
  /** True if the same call may succeed later without a change by the user. */
  retryable: z.boolean(),
  /** The `errors` of a 422 response unchanged, or the invalid input fields. */
  errors: z.array(z.string()).optional(),
  /** Number of milliseconds to wait before the next attempt (status 429). */
  retry_after_ms: z.int().optional(),
  /** Technical details for support, for example HTTP status, request id and log id. */
  detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
});
export type ContractErrorData = z.infer<typeof contractErrorDataSchema>;

/** An error as a value, stored with jobs, problems and history. */
export const errorValueSchema = contractErrorDataSchema.extend({
  code: errorCodeSchema,
  message: z.string(),
});
export type ErrorValue = z.infer<typeof errorValueSchema>;

type ErrorMap = { [code in ErrorCode]: { data: typeof contractErrorDataSchema } };

/** Error codes in the form that oRPC expects. Any procedure may throw any of them. */
export const contractErrorMap = Object.fromEntries(
  errorCodes.map((code) => [code, { data: contractErrorDataSchema }]),
) as unknown as ErrorMap;

/** Converts any thrown value to a contract error. Unknown errors become `internal`. */
export function toContractError(thrown: unknown): ErrorValue {
  if (thrown instanceof ORPCError) {
    const code = errorCodeSchema.safeParse(thrown.code);
    const data = contractErrorDataSchema.safeParse(thrown.data);
    if (code.success) {
      return {
        code: code.data,
        message: thrown.message,
        ...(data.success ? data.data : { retryable: false }),
      };
    }
  }
  if (thrown instanceof Error && thrown.name === 'AbortError') {
    return { code: 'canceled', message: 'Canceled.', retryable: false };
  }
  return { code: 'internal', message: 'An unexpected error occurred.', retryable: false };
}
