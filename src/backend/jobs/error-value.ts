import { BillingError } from '../../billing/errors/billing-error.ts';
import { type ErrorValue, errorOf } from '../../contract/index.ts';
import { lockedByBooks } from '../store/period-lock/locked-row-error.ts';

/**
 * Converts anything thrown to an error value that can be stored. Unknown errors get a generic message without details.
 */
export function toErrorValue(thrown: unknown): ErrorValue {
  if (thrown instanceof BillingError) return billingErrorValue(thrown);
  return lockedByBooks(thrown) ?? storageErrorValue(thrown) ?? errorOf(thrown);
}

function billingErrorValue(error: BillingError): ErrorValue {
  const detail = Object.entries(error.detail).filter(
    (entry): entry is [string, string | number | boolean | null] =>
      typeof entry[1] !== 'object' || entry[1] === null,
  );
  return {
    code: error.code,
    message: error.message,
    retryable: error.retryable,
    ...(error.hint === undefined ? {} : { hint: error.hint }),
    ...(error.errors === undefined ? {} : { errors: error.errors }),
    ...(error.retry_after_ms === undefined ? {} : { retry_after_ms: Math.ceil(error.retry_after_ms) }),
    ...(detail.length === 0 ? {} : { detail: Object.fromEntries(detail) }),
  };
}

const STORAGE_ERRORS: Readonly<Record<string, Pick<ErrorValue, 'code' | 'message' | 'hint' | 'retryable'>>> =
  {
    SQLITE_FULL: {
      code: 'disk_full',
      message: 'The disk is full.',
      hint: 'Free some space; what was stored is safe.',
      retryable: false,
    },
    ENOSPC: {
      code: 'disk_full',
      message: 'The disk is full.',
      hint: 'Free some space; what was stored is safe.',
      retryable: false,
    },
    SQLITE_BUSY: {
      code: 'conflict',
      message: 'Another process is writing to this site’s data.',
      hint: 'Try again when it is done.',
      retryable: true,
    },
    SQLITE_CORRUPT: {
      code: 'corrupt',
      message: 'The local data of this site is damaged.',
      hint: 'Run “doctor” to see which file; a damaged cache is set aside and fetched again.',
      retryable: false,
    },
  };

function storageErrorValue(thrown: unknown): ErrorValue | null {
  if (!(thrown instanceof Error) || !('code' in thrown) || typeof thrown.code !== 'string') return null;
  const { code } = thrown;
  const known = STORAGE_ERRORS[code] ?? STORAGE_ERRORS[code.split('_').slice(0, 2).join('_')];
  if (known !== undefined) return known;
  if (!code.startsWith('SQLITE_') && !/^E[A-Z]+$/.test(code)) return null;
  return {
    code: 'storage',
    message: 'The local data of this site could not be read or written.',
    hint: 'Check that its folder can be written to, then try again.',
    retryable: false,
    detail: { reason: code },
  };
}
