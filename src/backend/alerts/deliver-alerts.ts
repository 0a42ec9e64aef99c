import { parseEndpointAddress, postJson } from '../../billing/index.ts';
import type { Alert, AlertChannel } from '../../contract/index.ts';
import { isQuietAt } from '../../domain/webhooks/endpoint-alerts.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import type { OpenSite } from '../sites/open-site.ts';
import { claimAlertDeliveries, type StoredAlert, saveAlertDeliveryResult } from '../store/alerts/alert.ts';
import { runInTransaction } from '../store/sqlite/connection.ts';
import { readAlertSettings, requireCommand, type StoredAlertSettings } from './alert-settings.ts';
import { describeAlert, toAlert } from './describe-alert.ts';
import { runCommandHook } from './run-command-hook.ts';

/** Maximum duration of one delivery, in milliseconds. Chosen by judgment. */
const DELIVERY_TIMEOUT_MS = 10_000;

type DeliveryContext = Pick<CommandContext, 'home' | 'changes' | 'now'>;

/** Sends pending alerts to the command and to the merchant's web address. Never throws because of a failed delivery. */
export async function deliverAlerts(context: DeliveryContext, site: OpenSite): Promise<void> {
  const { home } = context;
  const settings = readAlertSettings(home, site.file.site);
  await Promise.all([
    deliverThrough(context, site, 'command', (document) => runCommand(home, settings.command, document)),
    deliverThrough(context, site, 'address', (document) => postToAddress(settings.address, document)),
  ]);
}

async function deliverThrough(
  { home, changes, now }: DeliveryContext,
  { books, file }: OpenSite,
  channel: AlertChannel,
  deliver: (document: AlertDocument) => Promise<string | null>,
): Promise<void> {
  const clock = getDeliveryClock(home, file.site, now());
  const claimed = runInTransaction(books, () => claimAlertDeliveries(books, channel, clock));
  for (const alert of claimed) {
    const document = toAlertDocument(file.site, file.title, alert);
    const error = await deliver(document).catch((thrown: Error) => thrown.message);
    runInTransaction(books, () => saveAlertDeliveryResult(books, alert.id, channel, error));
    changes.emit(file.site, 'alerts');
  }
}

/** Claims the alerts to show on the desktop. Each is returned to one caller only. */
export function takeDesktopAlerts({ home, stores, changes, now }: CommandContext, site: string): Alert[] {
  const { books, file } = stores.open(site);
  const clock = getDeliveryClock(home, site, now());
  const taken = runInTransaction(books, () => {
    const claimed = claimAlertDeliveries(books, 'desktop', clock);
    for (const { id } of claimed) saveAlertDeliveryResult(books, id, 'desktop', null);
    return claimed.map((alert) => toAlert(books, file.title, alert));
  });
  if (taken.length > 0) changes.emit(site, 'alerts');
  return taken;
}

/** Only tests are delivered in quiet hours. Other alerts are delivered afterwards. */
const getDeliveryClock = (home: string, site: string, now: number) => ({
  now,
  onlyTests: isQuiet(readAlertSettings(home, site), now),
});

/** Returns true if a local time lies in the quiet hours. `now` is UTC milliseconds. */
export function isQuiet({ quiet_hours }: StoredAlertSettings, now: number): boolean {
  const local = new Date(now);
  const pad = (value: number) => String(value).padStart(2, '0');
  return isQuietAt(quiet_hours, `${pad(local.getHours())}:${pad(local.getMinutes())}`);
}

async function runCommand(
  home: string,
  command: string | null,
  document: AlertDocument,
): Promise<string | null> {
  if (command === null) return 'No command is set';
  const path = requireCommand(home, command);
  const { id, kind, site, endpoint, title, text } = document;
  const variables = {
    TIEOUT_ALERT_ID: String(id),
    TIEOUT_ALERT_KIND: kind,
    TIEOUT_ALERT_SITE: site,
    TIEOUT_ALERT_ENDPOINT: endpoint ?? '',
    TIEOUT_ALERT_TITLE: title,
    TIEOUT_ALERT_TEXT: text,
  };
  return await runCommandHook(path, document, { variables, timeoutMs: DELIVERY_TIMEOUT_MS });
}

async function postToAddress(address: string | null, document: AlertDocument): Promise<string | null> {
  if (address === null) return 'No address is set';
  return await postJson(parseEndpointAddress(address), document, DELIVERY_TIMEOUT_MS);
}

/** An alert in the form sent to a command or an address. Contains no keys, webhook bodies or URL queries. */
interface AlertDocument extends Omit<Alert, 'deliveries'> {
  readonly type: 'tieout.alert';
  readonly site: string;
}

const toAlertDocument = (site: string, siteTitle: string, stored: StoredAlert): AlertDocument => ({
  type: 'tieout.alert',
  site,
  ...describeAlert(siteTitle, stored),
});
