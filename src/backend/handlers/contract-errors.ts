import { randomBytes } from 'node:crypto';
import { ORPCError } from '@orpc/client';
import { ValidationError } from '@orpc/contract';
import type { z } from 'zod';
import { createContractError, type ErrorValue } from '../../contract/index.ts';
import { toErrorValue } from '../jobs/error-value.ts';
import type { ShellLog } from '../shared/backend-start-options.ts';

/** Converts any thrown value to a contract error. For an unexpected error, the message only names the log entry. */
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

/** Converts rejected input to a validation error with one message per field. Returns null for other errors. */
function toValidationError(thrown: unknown): ErrorValue | null {
  if (!(thrown instanceof ORPCError) || thrown.code !== 'BAD_REQUEST') return null;
  const { cause } = thrown;
  if (!(cause instanceof ValidationError)) return null;
  const errors = cause.issues.map((issue) => {
    const { path, message } = findCause(issue as InputIssue);
    return path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`;
  });
  return { code: 'validation', message: `Invalid request: ${errors[0]}.`, errors, retryable: false };
}

type InputIssue = Pick<z.core.$ZodIssueBase, 'path' | 'message'> & {
  /** Issues of each alternative if the input fits none of a union's alternatives. */
  readonly errors?: readonly (readonly InputIssue[])[];
};

/** Returns the issue of the alternative that the input fits best: the alternative that fails at the deepest field. */
function findCause(issue: InputIssue): InputIssue {
  const nested = (issue.errors ?? []).flatMap(([first]) => (first === undefined ? [] : findCause(first)));
  const [deepest] = nested.sort((a, b) => b.path.length - a.path.length);
  if (deepest === undefined || deepest.path.length === 0) return issue;
  return { path: [...issue.path, ...deepest.path], message: deepest.message };
}
