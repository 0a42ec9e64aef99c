import type { ErrorCode, ErrorValue } from '../../contract/index.ts';

/** Action offered to the user for an error. */
type Remedy = 'replaceKey' | 'retry' | 'doctor' | null;

interface ErrorText {
  readonly title: string;
  readonly remedy: Remedy;
}

/** Title and remedy of each error code. */
const errorTexts: Record<ErrorCode, ErrorText> = {
  auth: { title: 'The key was refused', remedy: 'replaceKey' },
  forbidden: { title: 'The key is not allowed to do this', remedy: 'replaceKey' },
  not_found: { title: 'Not found', remedy: null },
  validation: { title: 'The input is not valid', remedy: null },
  conflict: { title: 'Conflict', remedy: 'retry' },
  rate_limited: { title: 'The service limits the request rate', remedy: 'retry' },
  network: { title: 'The service cannot be reached', remedy: 'retry' },
  timeout: { title: 'The service did not answer in time', remedy: 'retry' },
  service: { title: 'The service answered with an error', remedy: 'retry' },
  canceled: { title: 'Canceled', remedy: null },
  disconnected: { title: 'The connection to Tieout was lost', remedy: 'retry' },
  storage: { title: 'The local data cannot be used', remedy: 'doctor' },
  corrupt: { title: 'The local data is damaged', remedy: 'doctor' },
  disk_full: { title: 'The disk is full', remedy: 'retry' },
  keychain_unavailable: { title: 'The keychain is not available', remedy: 'doctor' },
  period_locked: { title: 'The period is locked', remedy: null },
  internal: { title: 'An unexpected error occurred', remedy: 'retry' },
};

export function errorTitle(error: ErrorValue): string {
  return errorTexts[error.code].title;
}

export function errorRemedy(error: ErrorValue): Remedy {
  return errorTexts[error.code].remedy;
}

/** Formats an error as one line: message (or title) and hint. */
export function formatError(error: ErrorValue): string {
  return [withFinalPeriod(error.message || errorTitle(error)), error.hint && withFinalPeriod(error.hint)]
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
