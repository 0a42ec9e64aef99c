import type { ErrorCode, ErrorValue } from '../contract/errors.ts';

/** How a command ended, for the shell that called it. */
export const exit = {
  done: 0,
  /** Done, and it found something: failed replays, an incomplete sync. */
  found: 1,
  usage: 2,
  credentials: 3,
  service: 4,
  local: 5,
  interrupted: 130,
} as const;
export type Exit = (typeof exit)[keyof typeof exit];

const byCode: Record<ErrorCode, Exit> = {
  auth: exit.credentials,
  forbidden: exit.credentials,
  keychain_unavailable: exit.credentials,
  not_found: exit.usage,
  validation: exit.usage,
  period_locked: exit.usage,
  rate_limited: exit.service,
  network: exit.service,
  timeout: exit.service,
  service: exit.service,
  conflict: exit.local,
  disconnected: exit.local,
  storage: exit.local,
  corrupt: exit.local,
  disk_full: exit.local,
  internal: exit.local,
  cancelled: exit.interrupted,
};

/**
 * The exit code of an error. A conflict that only waits for something else to end is the computer's; one that stays as it is until
 * something else is asked for (a closed period, a file that stands there) is the command's.
 */
export const exitOf = ({ code, retryable }: Pick<ErrorValue, 'code' | 'retryable'>): Exit =>
  code === 'conflict' && !retryable ? exit.usage : byCode[code];
