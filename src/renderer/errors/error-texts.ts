import type { ErrorCode, ErrorValue } from '../../contract/index.ts';
import { errorTitles } from '../../domain/labels/errors.ts';

/** Action that the user can take to resolve an error. */
type Remedy = 'replaceKey' | 'retry' | 'doctor' | null;

const remedies: Record<ErrorCode, Remedy> = {
  auth: 'replaceKey',
  forbidden: 'replaceKey',
  not_found: null,
  validation: null,
  conflict: 'retry',
  rate_limited: 'retry',
  network: 'retry',
  timeout: 'retry',
  service: 'retry',
  canceled: null,
  disconnected: 'retry',
  storage: 'doctor',
  corrupt: 'doctor',
  disk_full: 'retry',
  keychain_unavailable: 'doctor',
  period_locked: null,
  internal: 'retry',
};

export function getErrorTitle(error: ErrorValue): string {
  return errorTitles[error.code];
}

export function getErrorRemedy(error: ErrorValue): Remedy {
  return remedies[error.code];
}

/** Formats an error on one line, as its message (or title) followed by its hint. */
export function formatError(error: ErrorValue): string {
  return [withFinalPeriod(error.message || getErrorTitle(error)), error.hint && withFinalPeriod(error.hint)]
    .filter(Boolean)
    .join(' ');
}

function withFinalPeriod(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Returns true if the error means that the service cannot be reached and only local data is available. */
export function isOfflineError(error: ErrorValue | null): boolean {
  return error !== null && (error.code === 'network' || error.code === 'timeout');
}
