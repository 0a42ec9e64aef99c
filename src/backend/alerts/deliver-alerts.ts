import { parseEndpointAddress, postJson } from '../../billing/index.ts';
import type { Alert, AlertChannel, ContractInputs, DesktopAlert } from '../../contract/index.ts';
import { areQuietHoursAt } from '../../domain/webhooks/endpoint-alerts.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import { requireRecord } from '../shared/require-record.ts';
import type { OpenSite } from '../sites/open-site.ts';
import {
  claimAlertDelivery,
  findAlert,
  hasOpenDeliveries,
  type StoredAlert,
  saveAlertDeliveryResult,
} from '../store/alerts/alert.ts';
import { runInTransaction } from '../store/sqlite/connection.ts';
import { readAlertSettings, resolveAlertProgram, type StoredAlertSettings } from './alert-settings.ts';
import { describeAlert, toAlert } from './describe-alert.ts';
import { runCommandHook } from './run-command-hook.ts';

/** Maximum duration of one delivery, in milliseconds. Chosen by judgment. */
const DELIVERY_TIMEOUT_MS = 10_000;
/**
 * Time after which a pass starts no further delivery through a channel, in milliseconds. Shorter than the timeout, so that
 * an unresponsive receiver keeps a sync only for one timeout. Chosen by judgment.
 */
const MAX_PASS_MS = 5_000;

type DeliveryContext = Pick<CommandContext, 'home' | 'changes' | 'now'>;

/**
 * Sends due alerts to the command and to the merchant's web address, or only test alerts. Never throws because of a failed
 * delivery.
 */
export async function deliverAlerts(
  context: DeliveryContext,
  site: OpenSite,
  { onlyTests }: { onlyTests: boolean },
): Promise<void> {
  const { home } = context;
  const settings = readAlertSettings(home, site.file.site);
  const through = (channel: AlertChannel, deliver: Sender['deliver']) =>
    deliverThrough(context, site, { channel, onlyTests, deliver });
  await Promise.all([
    through('command', (document) => runCommand(home, settings.command, document)),
    through('address', (document) => postToAddress(settings, document)),
  ]);
}

interface Sender {
  readonly channel: AlertChannel;
  readonly onlyTests: boolean;
  /** Returns the reason for a failure, or null. */
  readonly deliver: (document: AlertDocument) => Promise<string | null>;
}

async function deliverThrough(
  { home, changes, now }: DeliveryContext,
  { books, file }: OpenSite,
  { channel, onlyTests, deliver }: Sender,
): Promise<void> {
  const endAt = performance.now() + MAX_PASS_MS;
  for (let after = 0; performance.now() < endAt; ) {
    const clock = getDeliveryClock(home, file.site, now());
    const options = { now: clock.now, onlyTests: onlyTests || clock.onlyTests, after };
    const claim = runInTransaction(books, () => claimAlertDelivery(books, channel, options));
    if (claim === null) break;
    after = claim.alert.id;
    const document = toAlertDocument(file.site, file.title, claim.alert);
    const error = await deliver(document).catch((thrown: Error) => thrown.message);
    runInTransaction(books, () => saveAlertDeliveryResult(books, claim, error));
    changes.emit(file.site, 'alerts');
  }
}

/** Claims the next alert to show on the desktop, with an id above `after`. Null if none is due. */
export function takeDesktopAlert(
  { home, stores, changes, now }: CommandContext,
  { site, after }: ContractInputs['alerts']['takeDesktop'] & { after: number },
): DesktopAlert | null {
  const { books, file } = stores.open(site);
  // Windows request alerts every minute. Most requests find none, and need no write transaction.
  if (!hasOpenDeliveries(books, 'desktop')) return null;
  const clock = getDeliveryClock(home, site, now());
  const claim = runInTransaction(books, () => claimAlertDelivery(books, 'desktop', { ...clock, after }));
  if (claim === null) return null;
  changes.emit(site, 'alerts');
  return { ...toAlert(books, file.title, claim.alert), attempt: claim.attempt };
}

/** Saves if a claimed alert was shown on the desktop. Throws `not_found` for an unknown alert. */
export function saveDesktopResult(
  { stores, changes }: CommandContext,
  { site, alert: id, attempt, error }: ContractInputs['alerts']['saveDesktopResult'],
): Record<string, never> {
  const { books } = stores.open(site);
  const alert = requireRecord(findAlert(books, id), `alert ${id}`, 'See the list of alerts.');
  runInTransaction(books, () =>
    saveAlertDeliveryResult(books, { alert, channel: 'desktop', attempt }, error),
  );
  changes.emit(site, 'alerts');
  return {};
}

/** Only tests are delivered in quiet hours. Other alerts are delivered afterwards. */
const getDeliveryClock = (home: string, site: string, now: number) => ({
  now,
  onlyTests: isInQuietHours(readAlertSettings(home, site), now),
});

/** Returns true if a local time lies in the quiet hours. `now` is UTC milliseconds. */
export function isInQuietHours({ quiet_hours }: StoredAlertSettings, now: number): boolean {
  const local = new Date(now);
  const pad = (value: number) => String(value).padStart(2, '0');
  return areQuietHoursAt(quiet_hours, `${pad(local.getHours())}:${pad(local.getMinutes())}`);
}

async function runCommand(
  home: string,
  command: string | null,
  document: AlertDocument,
): Promise<string | null> {
  if (command === null) return 'No command is set';
  const path = resolveAlertProgram(home, command);
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

async function postToAddress(
  { address, address_may_be_local }: StoredAlertSettings,
  document: AlertDocument,
): Promise<string | null> {
  if (address === null) return 'No address is set';
  return await postJson(parseEndpointAddress(address), document, {
    timeoutMs: DELIVERY_TIMEOUT_MS,
    publicOnly: !address_may_be_local,
  });
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
