import type { ErrorCode, ErrorValue } from '../../contract/shared/errors.ts';

/** Exit codes of the command line. */
export const exitCode = {
  success: 0,
  /** The command completed and reports something that needs attention, for example failed replays. */
  findings: 1,
  usage: 2,
  credentials: 3,
  service: 4,
  local: 5,
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCode)[keyof typeof exitCode];

const codes: Record<ErrorCode, ExitCode> = {
  auth: exitCode.credentials,
  forbidden: exitCode.credentials,
  keychain_unavailable: exitCode.credentials,
  not_found: exitCode.usage,
  validation: exitCode.usage,
  period_locked: exitCode.usage,
  rate_limited: exitCode.service,
  network: exitCode.service,
  timeout: exitCode.service,
  service: exitCode.service,
  conflict: exitCode.local,
  disconnected: exitCode.local,
  storage: exitCode.local,
  corrupt: exitCode.local,
  disk_full: exitCode.local,
  internal: exitCode.local,
  canceled: exitCode.interrupted,
};

/**
 * Returns the exit code of an error. A conflict that may pass, such as another running process, is a local problem.
 * A conflict that stays until the command changes, such as a closed period or an existing file, is wrong usage.
 */
export const toExitCode = ({ code, retryable }: Pick<ErrorValue, 'code' | 'retryable'>): ExitCode =>
  code === 'conflict' && !retryable ? exitCode.usage : codes[code];
