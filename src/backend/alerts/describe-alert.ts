import type { Alert } from '../../contract/index.ts';
import { formatAlertText, formatAlertTitle } from '../../domain/labels/alerts.ts';
import { formatTimestamp } from '../shared/timestamps.ts';
import { listAlertDeliveries, type StoredAlert } from '../store/alerts/alert.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';

/** Converts a stored alert. `siteTitle` is the display name of its site. */
export const toAlert = (books: ReadableDb, siteTitle: string, stored: StoredAlert): Alert => ({
  ...describeAlert(siteTitle, stored),
  deliveries: listAlertDeliveries(books, stored.id),
});

/** Returns an alert with its title and text. `siteTitle` is the display name of its site. */
export function describeAlert(siteTitle: string, stored: StoredAlert): Omit<Alert, 'deliveries'> {
  const alert = {
    ...stored,
    at: formatTimestamp(stored.at),
    endpoint: stored.endpoint === '' ? null : stored.endpoint,
    since: formatTimestamp(stored.since),
    reported: stored.reported === 1,
  };
  return { ...alert, title: formatAlertTitle(siteTitle, alert), text: formatAlertText(alert) };
}
