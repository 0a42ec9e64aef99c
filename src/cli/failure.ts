import type { ErrorCode, ErrorValue } from '../contract/errors.ts';
import { type Exit, exitOf } from './exit.ts';

/** A failure the command line found by itself, in the contract's terms. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly value: ErrorValue;

  constructor(code: ErrorCode, message: string, hint?: string) {
    super(message);
    this.value = { code, message, ...(hint === undefined ? {} : { hint }), retryable: false };
  }

  get exit(): Exit {
    return exitOf(this.value);
  }
}

/** The command was typed wrongly. */
export const wrongUsage = (message: string, hint?: string): Failure =>
  new Failure('validation', message, hint);

/** A job's or a call's kept error, to be thrown on. */
export function failureOf({ code, message, ...more }: ErrorValue): Failure {
  const failure = new Failure(code, message);
  Object.assign(failure.value, more);
  return failure;
}

/** What to type next, where the command line knows better than the window's words. */
const cliHints: Partial<Record<ErrorCode, string>> = {
  auth: 'Give the right one in TIEOUT_API_KEY, or replace the kept one with: tieout site key',
  keychain_unavailable: 'Set TIEOUT_API_KEY for this run, or see: tieout doctor',
  corrupt: 'See what is damaged and what to do: tieout doctor',
};

/** Any thrown thing as an error of the contract, with the hint a terminal needs. */
export async function errorValueOf(thrown: unknown): Promise<ErrorValue> {
  if (thrown instanceof Failure && thrown.value.hint !== undefined) return thrown.value;
  if (thrown instanceof Failure) return withHint(thrown.value);
  const { errorOf } = await import('../contract/client.ts');
  return withHint(errorOf(thrown));
}

function withHint(error: ErrorValue): ErrorValue {
  const hint = cliHints[error.code];
  return hint === undefined ? error : { ...error, hint };
}

/** One sentence for stderr: what went wrong, with which thing, and what to do. */
export function sentenceOf(error: ErrorValue): string {
  return ['tieout:', error.message, error.errors?.join('; '), error.hint].filter(Boolean).join(' ');
}

/** The error with every key taken out of its texts. */
export function redacted(error: ErrorValue, redact: (text: string) => string): ErrorValue {
  return JSON.parse(redact(JSON.stringify(error))) as ErrorValue;
}

/** The document of `--json`. */
export function errorDocument(error: ErrorValue) {
  const { code, message, hint, detail, errors, retry_after_ms, retryable } = error;
  return {
    error: {
      code,
      message,
      hint: hint ?? null,
      retryable,
      detail: {
        ...detail,
        ...(errors === undefined ? {} : { errors }),
        ...(retry_after_ms === undefined ? {} : { retry_after_ms }),
      },
    },
  };
}
