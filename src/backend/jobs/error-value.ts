import { dirname } from 'node:path';
import { BillingError } from '../../billing/errors/billing-error.ts';
import { type ErrorValue, toContractError } from '../../contract/index.ts';
import { findDiskShortage } from '../shared/disk-space.ts';
import { NO_FILES_LEFT_CODE } from '../store/database/open-store.ts';
import { toPeriodLockedError } from '../store/period-lock/locked-row-error.ts';

/** Converts any thrown value to an error value that can be stored. Unknown errors get a generic message. */
export function toErrorValue(thrown: unknown): ErrorValue {
  if (thrown instanceof BillingError) return billingErrorValue(thrown);
  return toPeriodLockedError(thrown) ?? storageErrorValue(thrown) ?? toContractError(thrown);
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

const DISK_FULL: ErrorValue = {
  code: 'disk_full',
  message: 'The disk is full.',
  hint: 'Free up disk space. Stored data is not lost.',
  retryable: false,
};

const NO_FILES_LEFT: ErrorValue = {
  code: 'disk_full',
  message: 'The disk has no room for more files (no inodes left), although it may have free space.',
  hint: 'Delete files that you no longer need. Stored data is not lost.',
  retryable: false,
};

const STORAGE_ERRORS: Readonly<Record<string, ErrorValue>> = {
  SQLITE_FULL: DISK_FULL,
  [NO_FILES_LEFT_CODE]: NO_FILES_LEFT,
  ENOSPC: DISK_FULL,
  SQLITE_BUSY: {
    code: 'conflict',
    message: 'Another process is writing to this site’s data.',
    hint: 'Try again when it has finished.',
    retryable: true,
  },
  SQLITE_CORRUPT: {
    code: 'corrupt',
    message: 'The local data of this site is damaged.',
    hint: 'Run “tieout doctor” to see which file. A damaged cache is renamed and downloaded again.',
    retryable: false,
  },
};

function storageErrorValue(thrown: unknown): ErrorValue | null {
  if (!(thrown instanceof Error) || !('code' in thrown) || typeof thrown.code !== 'string') return null;
  const { code } = thrown;
  if (code === 'ENOSPC' && 'path' in thrown && findDiskShortage(dirname(String(thrown.path))) === 'files')
    return NO_FILES_LEFT;
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
