import { randomBytes } from 'node:crypto';
import { ORPCError } from '@orpc/client';
import { ValidationError } from '@orpc/contract';
import { createContractError, type ErrorValue } from '../../contract/index.ts';
import { toErrorValue } from '../jobs/error-value.ts';
import type { ShellLog } from '../shared/backend-start-options.ts';

/** Converts anything thrown to a contract error. For an unexpected error, the message only names the log entry. */
export function toContractError(thrown: unknown, path: readonly string[], log: ShellLog) {
  const failure = toValidationError(thrown) ?? toErrorValue(thrown);
  if (failure.code !== 'internal') return createContractError(failure);
  return createContractError({ ...failure, ...logUnexpectedError(thrown, path.join('.'), log) });
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
  return { hint: `See log entry ${id}.`, detail: { log: id } };
}

/** Converts a rejected input to a validation error with one message per field. Null for other errors. */
function toValidationError(thrown: unknown): ErrorValue | null {
  if (!(thrown instanceof ORPCError) || thrown.code !== 'BAD_REQUEST') return null;
  const { cause } = thrown;
  if (!(cause instanceof ValidationError)) return null;
  const errors = cause.issues.map(({ path = [], message }) => {
    const field = path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
    return field === '' ? message : `${field}: ${message}`;
  });
  return { code: 'validation', message: `Invalid request: ${errors[0]}.`, errors, retryable: false };
}
