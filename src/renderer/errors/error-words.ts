import type { ErrorCode, ErrorValue } from '../../contract/index.ts';

/** What a person can do about an error, beside reading it. */
type Remedy = 'replaceKey' | 'retry' | 'doctor' | null;

interface ErrorWords {
  /** What happened, in a few words. */
  readonly title: string;
  readonly remedy: Remedy;
}

/** By code alone, as the taxonomy has it. */
const words: Record<ErrorCode, ErrorWords> = {
  auth: { title: 'The key was refused', remedy: 'replaceKey' },
  forbidden: { title: 'The key is not allowed to do this', remedy: 'replaceKey' },
  not_found: { title: 'Not found', remedy: null },
  validation: { title: 'This cannot be accepted as it is', remedy: null },
  conflict: { title: 'Something else is in the way', remedy: 'retry' },
  rate_limited: { title: 'The service asks to wait', remedy: 'retry' },
  network: { title: 'The service cannot be reached', remedy: 'retry' },
  timeout: { title: 'The service did not answer in time', remedy: 'retry' },
  service: { title: 'The service answered with an error', remedy: 'retry' },
  cancelled: { title: 'Cancelled', remedy: null },
  disconnected: { title: 'The connection to Tieout was lost', remedy: 'retry' },
  storage: { title: 'The local data cannot be used', remedy: 'doctor' },
  corrupt: { title: 'The local data is damaged', remedy: 'doctor' },
  disk_full: { title: 'The disk is full', remedy: 'retry' },
  keychain_unavailable: { title: 'The keychain does not answer', remedy: 'doctor' },
  period_locked: { title: 'The period is locked', remedy: null },
  internal: { title: 'Something unexpected went wrong', remedy: 'retry' },
};

export function errorTitle(error: ErrorValue): string {
  return words[error.code].title;
}

export function remedyOf(error: ErrorValue): Remedy {
  return words[error.code].remedy;
}

/** One line: title, message and what to do. */
export function errorLine(error: ErrorValue): string {
  return [sentence(error.message || errorTitle(error)), error.hint && sentence(error.hint)]
    .filter(Boolean)
    .join(' ');
}

function sentence(text: string): string {
  return /[.!?]$/.test(text) ? text : `${text}.`;
}

/** Codes that mean: nobody answers out there, the copy here is all there is. */
export function isOffline(error: ErrorValue | null): boolean {
  return error !== null && (error.code === 'network' || error.code === 'timeout');
}
