import { setTimeout as delay } from 'node:timers/promises';
import type { ErrorValue } from '../../contract/shared/errors.ts';
import { formatError, toCliErrorValue } from '../errors/cli-error.ts';
import { type ExitCode, exitCodes } from '../errors/exit-codes.ts';
import { formatDuration } from '../output/format-values.ts';
import { sanitizeLine } from '../output/terminal-text.ts';
import type { SiteContext } from './cli-command.ts';
import { showDesktopAlerts } from './desktop-notification.ts';

/** Runs `sync` repeatedly until Ctrl-C, and shows the desktop alerts it caused. A failure is printed and doubles the delay, up to one hour. A rejected key ends the command. */
export async function syncRepeatedly(
  context: SiteContext,
  everyMinutes: number,
  sync: () => Promise<unknown>,
): Promise<ExitCode> {
  const { client, site, output, interrupt } = context;
  const interval = everyMinutes * 60_000;
  let waitMs = interval;
  // Publishes the schedule, so that other processes do not sync the same site.
  const publishSchedule = (next_at: string | null) =>
    client.sync.schedule({ site, schedule: { every_minutes: everyMinutes, next_at } });
  while (!interrupt.signal.aborted) {
    await publishSchedule(null);
    try {
      await sync();
      await showDesktopAlerts(context);
      waitMs = interval;
    } catch (error) {
      const value = await toCliErrorValue(error);
      if (!value.retryable && value.code !== 'network') throw error;
      waitMs = getNextWatchDelayMs(waitMs, interval, value);
      process.stderr.write(`${sanitizeLine(formatError(value))}\n`);
    }
    output.notice(`Next sync in ${formatDuration(waitMs)}. Press Ctrl-C to stop.`);
    await publishSchedule(new Date(Date.now() + waitMs).toISOString());
    await delay(waitMs, undefined, { signal: interrupt.signal }).catch(() => undefined);
  }
  await client.sync.schedule({ site, schedule: null });
  return exitCodes.interrupted;
}

const HOUR_MS = 3_600_000;

/**
 * Returns the delay in milliseconds before the next sync. After a failure, doubles the previous delay, with the
 * service's retry delay as minimum and one hour as maximum. After a conflict with another process, returns the usual
 * interval.
 */
export function getNextWatchDelayMs(
  lastDelay: number,
  interval: number,
  { code, retry_after_ms }: Pick<ErrorValue, 'code' | 'retry_after_ms'>,
): number {
  if (code === 'conflict') return interval;
  return Math.min(Math.max(interval, HOUR_MS), Math.max(lastDelay * 2, retry_after_ms ?? 0));
}
