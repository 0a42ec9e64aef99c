import { randomBytes } from 'node:crypto';
import { ORPCError } from '@orpc/client';
import { ValidationError } from '@orpc/contract';
import { contractError, type ErrorValue } from '../../contract/index.ts';
import { toErrorValue } from '../jobs/error-value.ts';
import type { ShellLog } from '../shared/start-options.ts';

/**
 * Converts anything thrown by a procedure to a contract error. For an unexpected error, the contract error contains only
 * the id of its log entry.
 */
export function toContractError(thrown: unknown, path: readonly string[], log: ShellLog) {
  const failure = toValidationError(thrown) ?? toErrorValue(thrown);
  if (failure.code !== 'internal') return contractError(failure);
  return contractError({ ...failure, ...logUnexpectedError(thrown, path.join('.'), log) });
}

/** Logs an unexpected error. Returns the hint and detail that refer to the log entry. */
export function logUnexpectedError(
  thrown: unknown,
  doing: string,
  log: ShellLog,
): Pick<ErrorValue, 'hint' | 'detail'> {
  const id = randomBytes(6).toString('hex');
  const reason = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  log({ level: 'error', msg: `${doing} failed.`, id, reason });
  return { hint: `The log has it under ${id}.`, detail: { log: id } };
}

/**
 * Converts an input that the contract rejects to a validation error with one message per field. Returns null for other
 * errors.
 */
function toValidationError(thrown: unknown): ErrorValue | null {
  if (!(thrown instanceof ORPCError) || thrown.code !== 'BAD_REQUEST') return null;
  const { cause } = thrown;
  if (!(cause instanceof ValidationError)) return null;
  const errors = cause.issues.map(({ path = [], message }) => {
    const field = path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
    return field === '' ? message : `${field}: ${message}`;
  });
  return { code: 'validation', message: `That cannot be asked: ${errors[0]}.`, errors, retryable: false };
}
