import type { BackendClient } from '../contract.ts';
import type { DesktopAlert } from './alerts.ts';

/** Interval in milliseconds for delivering alerts whose quiet hours or backoff have ended. The shortest backoff. */
export const DESKTOP_ALERT_INTERVAL_MS = 60_000;

/**
 * Shows the due desktop alerts of a site one by one, and saves the result of each. An alert that `show` rejects, or that a
 * crash interrupts, is shown again later.
 */
export async function deliverDesktopAlerts(
  { alerts }: Pick<BackendClient, 'alerts'>,
  site: string,
  show: (alert: DesktopAlert) => Promise<void>,
): Promise<void> {
  for (let after = 0; ; ) {
    const alert = await alerts.takeDesktop({ site, after });
    if (alert === null) return;
    const { id, attempt } = alert;
    const error = await show(alert).then(() => null, getFirstLine);
    await alerts.saveDesktopResult({ site, alert: id, attempt, error });
    after = id;
  }
}

const getFirstLine = (error: Error) => error.message.split('\n')[0]?.slice(0, 500) || error.name;
