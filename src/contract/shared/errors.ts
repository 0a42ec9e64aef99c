import { z } from 'zod';

/** Every way in which a call can fail. Views and exit codes depend on the code alone. */
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

export const errorCode = z.enum(errorCodes);
export type ErrorCode = z.infer<typeof errorCode>;

/** Data of an error besides its code and message. */
export const errorData = z.object({
  /** One sentence about what to do next. */
  hint: z.string().optional(),
  /** True if the same call may succeed later without a change by the user. */
  retryable: z.boolean(),
  /** The `errors` of a 422 response unchanged, or the invalid input fields. */
  errors: z.array(z.string()).optional(),
  /** Milliseconds to wait before the next attempt (status 429). */
  retry_after_ms: z.int().optional(),
  /** HTTP status, request id and log id, for support. */
  detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
});
export type ErrorData = z.infer<typeof errorData>;

/** An error as a value, stored with jobs, problems and history. */
export const errorValue = errorData.extend({ code: errorCode, message: z.string() });
export type ErrorValue = z.infer<typeof errorValue>;

type ErrorMap = { [code in ErrorCode]: { data: typeof errorData } };

/** The error codes in the form that oRPC expects. Every procedure can fail with any of them. */
export const errorMap = Object.fromEntries(
  errorCodes.map((code) => [code, { data: errorData }]),
) as unknown as ErrorMap;
