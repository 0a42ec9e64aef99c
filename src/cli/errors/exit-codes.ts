import type { ErrorCode, ErrorValue } from '../../contract/shared/errors.ts';

/** Exit codes of the command line. */
export const exitCodes = {
  success: 0,
  /** The command completed but found something to act on, for example failed replays. */
  findings: 1,
  usage: 2,
  credentials: 3,
  service: 4,
  local: 5,
  interrupted: 130,
} as const;
export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** Returns exit code 0, or 1 if the command found something to act on. */
export const getSuccessExitCode = (isClean: boolean): ExitCode =>
  isClean ? exitCodes.success : exitCodes.findings;

const codes: Record<ErrorCode, ExitCode> = {
  auth: exitCodes.credentials,
  forbidden: exitCodes.credentials,
  keychain_unavailable: exitCodes.credentials,
  not_found: exitCodes.usage,
  validation: exitCodes.usage,
  period_locked: exitCodes.usage,
  rate_limited: exitCodes.service,
  network: exitCodes.service,
  timeout: exitCodes.service,
  service: exitCodes.service,
  conflict: exitCodes.local,
  disconnected: exitCodes.local,
  storage: exitCodes.local,
  corrupt: exitCodes.local,
  disk_full: exitCodes.local,
  internal: exitCodes.local,
  canceled: exitCodes.interrupted,
};

/**
 * Returns the exit code for an error. A temporary conflict, for example with another process, is a local problem. A
 * permanent conflict, for example a closed period or an existing file, is a usage error.
 */
export const getErrorExitCode = ({ code, retryable }: Pick<ErrorValue, 'code' | 'retryable'>): ExitCode =>
  code === 'conflict' && !retryable ? exitCodes.usage : codes[code];
