import { randomBytes } from 'node:crypto';
import { ORPCError } from '@orpc/client';
import { ValidationError } from '@orpc/contract';
import { contractError, type ErrorValue } from '../../contract/index.ts';
import { failureOf } from '../jobs/failure.ts';
import type { Log } from '../start.ts';

/**
 * Anything a procedure threw, as an error of the contract. Of what is not one of ours nothing crosses but an id under
 * which the log has it.
 */
export function asContractError(thrown: unknown, path: readonly string[], log: Log) {
  const failure = refusedInput(thrown) ?? failureOf(thrown);
  if (failure.code !== 'internal') return contractError(failure);
  return contractError({ ...failure, ...noted(thrown, path.join('.'), log) });
}

/** Writes what nobody expected into the log; gives the hint and the detail that lead to it. */
export function noted(thrown: unknown, doing: string, log: Log): Pick<ErrorValue, 'hint' | 'detail'> {
  const id = randomBytes(6).toString('hex');
  const reason = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
  log({ level: 'error', msg: `${doing} failed.`, id, reason });
  return { hint: `The log has it under ${id}.`, detail: { log: id } };
}

/** An input that the contract refuses, field by field; null where it was something else. */
function refusedInput(thrown: unknown): ErrorValue | null {
  if (!(thrown instanceof ORPCError) || thrown.code !== 'BAD_REQUEST') return null;
  const { cause } = thrown;
  if (!(cause instanceof ValidationError)) return null;
  const errors = cause.issues.map(({ path = [], message }) => {
    const field = path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.');
    return field === '' ? message : `${field}: ${message}`;
  });
  return { code: 'validation', message: `That cannot be asked: ${errors[0]}.`, errors, retryable: false };
}
