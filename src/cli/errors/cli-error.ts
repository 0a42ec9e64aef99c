import type { ErrorCode, ErrorValue } from '../../contract/shared/errors.ts';

/** Error of a command, with the same code, message and hint as an error of the contract. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly value: ErrorValue;

  constructor(code: ErrorCode, message: string, hint?: string) {
    super(message);
    this.value = { code, message, ...(hint === undefined ? {} : { hint }), retryable: false };
  }
}

/** Creates the error for wrong arguments or options. */
export const createUsageError = (message: string, hint?: string): CliError =>
  new CliError('validation', message, hint);

/** Converts the stored error of a job or a call to an error that can be thrown. */
export function toCliError({ code, message, ...more }: ErrorValue): CliError {
  const error = new CliError(code, message);
  Object.assign(error.value, more);
  return error;
}

/** Hint for commands that require a site, shown if none is connected. */
export const formatConnectSiteHint =
  'Connect one with: tieout site add --name "My company" --url https://… , or try the demo: tieout demo';

/** Hints for terminal users that replace the hints for the window. */
const cliHints: Partial<Record<ErrorCode, string>> = {
  auth: 'Set the correct key in TIEOUT_API_KEY, or replace the stored key with: tieout site key',
  keychain_unavailable: 'Set TIEOUT_API_KEY for this command, or run: tieout doctor',
  corrupt: 'To see what is damaged and how to repair it, run: tieout doctor',
};

/** Converts any thrown value to a contract error with a hint for terminal users. */
export async function toCliErrorValue(thrown: unknown): Promise<ErrorValue> {
  if (thrown instanceof CliError && thrown.value.hint !== undefined) return thrown.value;
  if (thrown instanceof CliError) return withHint(thrown.value);
  const { toContractError } = await import('../../contract/shared/errors.ts');
  return withHint(toContractError(thrown));
}

/** Adds the hint for terminal users, unless the error's own hint already names a command. */
function withHint(error: ErrorValue): ErrorValue {
  const hint = cliHints[error.code];
  return hint === undefined || error.hint?.includes('tieout ') ? error : { ...error, hint };
}

/** Formats an error for stderr: what happened, which record it concerns, and what to do. */
export function formatError(error: ErrorValue): string {
  return ['tieout:', error.message, error.errors?.join('; '), error.hint].filter(Boolean).join(' ');
}

/** Removes all API keys from the texts of an error. */
export function redactError(error: ErrorValue, redact: (text: string) => string): ErrorValue {
  return JSON.parse(redact(JSON.stringify(error))) as ErrorValue;
}

/** Converts an error to the document that `--json` prints. */
export function toErrorDocument(error: ErrorValue) {
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
