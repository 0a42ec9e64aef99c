import { z } from 'zod';

/** Every way a call can fail, as data. The taxonomy is the contract: screens and exit codes are chosen by code alone. */
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

/** What accompanies an error's code and message across the border. */
export const errorData = z.object({
  /** What to do next, one sentence. */
  hint: z.string().optional(),
  /** Whether the same call may succeed later without a change by the user. */
  retryable: z.boolean(),
  /** A 422's `errors`, word for word, or the fields of a refused input. */
  errors: z.array(z.string()).optional(),
  /** Milliseconds to wait before trying again (429). */
  retry_after_ms: z.int().optional(),
  /** HTTP status, request id, log id: for support, not for reading. */
  detail: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])).optional(),
});
export type ErrorData = z.infer<typeof errorData>;

/** An error as a value: kept in jobs, problems and history. */
export const errorValue = errorData.extend({ code: errorCode, message: z.string() });
export type ErrorValue = z.infer<typeof errorValue>;

type ErrorMap = { [code in ErrorCode]: { data: typeof errorData } };

/** The taxonomy in oRPC's form: every procedure may answer with any of these. */
export const errorMap = Object.fromEntries(
  errorCodes.map((code) => [code, { data: errorData }]),
) as unknown as ErrorMap;
