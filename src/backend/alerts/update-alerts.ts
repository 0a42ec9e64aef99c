import { type Alert, createNonRetryableError } from '../../contract/index.ts';
import {
  assessEndpoint,
  assessSilence,
  decideAlerts,
  type EndpointCondition,
} from '../../domain/webhooks/endpoint-alerts.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { addAlert, findAlert, listAlertStates, saveAlertState } from '../store/alerts/alert.ts';
import { addAuditEntry } from '../store/audit-log/audit-log.ts';
import { type ReadableDb, runInTransaction } from '../store/sqlite/connection.ts';
import { readSyncPartState } from '../store/sync/sync-unit.ts';
import { findNewestWebhookTime, listEndpointHealth } from '../store/webhooks/endpoint-health.ts';
import { removeUrlQuery } from '../store/webhooks/webhook.ts';
import { findWebhookGaps } from '../store/webhooks/webhook-gaps.ts';
import { listAlertChannels, readAlertSettings, type StoredAlertSettings } from './alert-settings.ts';
import { deliverAlerts, isInQuietHours } from './deliver-alerts.ts';
import { toAlert } from './describe-alert.ts';

/** Endpoints as listed by the service; null if the service does not list them. */
type ListedEndpoints = readonly { readonly url: string | null; readonly status: string | null }[] | null;

/**
 * Adds the alerts that follow from the stored log, and delivers them. `readEndpoints` requests the status of the endpoints
 * from the service. It is called only if the site has a channel for alerts.
 */
export async function updateAlertsAfterSync(
  context: CommandContext,
  site: OpenSite,
  readEndpoints: () => Promise<ListedEndpoints>,
): Promise<void> {
  const { home, now, changes } = context;
  const settings = readAlertSettings(home, site.file.site);
  const hasChannel = listAlertChannels(settings).length > 0;
  const endpoints = hasChannel ? await readEndpoints() : null;
  if (addDueAlerts(site, { settings, endpoints, now: now() })) changes.emit(site.file.site, 'alerts');
  if (hasChannel) await deliverAlerts(context, site, { onlyTests: false });
}

/** Adds the alerts that are due. Returns true if there are any. `now` is UTC milliseconds. */
function addDueAlerts(
  { cache, books }: OpenSite,
  { settings, endpoints, now }: { settings: StoredAlertSettings; endpoints: ListedEndpoints; now: number },
): boolean {
  const conditions = assessSite(cache, endpoints);
  return runInTransaction(books, () => {
    const clock = { now, isQuiet: isInQuietHours(settings, now) };
    const { alerts, states } = decideAlerts(listAlertStates(books), conditions, clock);
    for (const state of states) saveAlertState(books, state);
    for (const { endpoint, reported, ...alert } of alerts) {
      const row = { ...alert, at: now, endpoint: endpoint ?? '', reported: reported ? 1 : 0 } as const;
      addAlert(books, row, listAlertChannels(settings));
    }
    return alerts.length > 0;
  });
}

function assessSite(cache: ReadableDb, endpoints: ListedEndpoints): EndpointCondition[] {
  const part = readSyncPartState<{ skew?: number }>(cache, 'webhooks');
  const knownTo = (part?.synced_at ?? 0) + (part?.checkpoint.skew ?? 0);
  const statuses = new Map(endpoints?.map(({ url, status }) => [removeUrlQuery(url ?? ''), status]));
  const silence = findWebhookGaps(cache, knownTo).find(({ ongoing }) => ongoing) ?? null;
  return [
    ...listEndpointHealth(cache).map((health) =>
      assessEndpoint({ ...health, status: statuses.get(health.endpoint) ?? null }, knownTo),
    ),
    assessSilence(silence, findNewestWebhookTime(cache)),
  ];
}

/** Sends a test alert through every channel, even in quiet hours. Throws `validation` if the site has no channel. */
export async function sendTestAlert(context: CommandContext, site: string): Promise<Alert> {
  const { home, stores, changes, now, user } = context;
  const open = stores.open(site);
  const { books, file } = open;
  const settings = readAlertSettings(home, site);
  const channels = listAlertChannels(settings);
  if (channels.length === 0)
    throw createNonRetryableError(
      'validation',
      `Site ${site} has no channel for alerts.`,
      'Turn on desktop notifications, or set a command or an address first.',
    );
  const at = now();
  const alert = { at, kind: 'test', endpoint: '', failures: 0, since: at, reported: 0 } as const;
  const id = runInTransaction(books, () => {
    addAuditEntry(books, { at, user, action: 'alerts.test', subject: site, detail: { channels } });
    return addAlert(books, alert, channels);
  });
  changes.emit(site, 'alerts', 'audit');
  await deliverAlerts(context, open, { onlyTests: true });
  const stored = findAlert(books, id);
  if (stored === null) throw new Error(`Alert ${id} is missing.`);
  return toAlert(books, file.title, stored);
}
