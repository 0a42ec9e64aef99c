import { parseEndpointAddress, requirePublicHost } from '../../billing/index.ts';
import type { AlertSettings, ContractInputs } from '../../contract/index.ts';
import type { CommandContext } from '../jobs/command-context.ts';
import { writeFileDurably } from '../shared/durable-file.ts';
import { addAuditEntry } from '../store/audit-log/audit-log.ts';
import { runInTransaction } from '../store/sqlite/connection.ts';
import {
  describeAlertSettings,
  getAlertSettingsPath,
  readAlertSettings,
  resolveAlertProgram,
  type StoredAlertSettings,
} from './alert-settings.ts';

/**
 * Changes a site's alert settings. Throws `validation` if the program or the address cannot be used. Only the command line may
 * set an address in a local network.
 */
export async function saveAlertSettings(
  { home, stores, changes, now, user, servesPages }: CommandContext,
  { site, address, ...change }: ContractInputs['alerts']['saveSettings'],
): Promise<AlertSettings> {
  if (change.command != null) resolveAlertProgram(home, change.command);
  const before = readAlertSettings(home, site);
  const url = address == null ? address : parseEndpointAddress(address).url;
  const isNew = url !== before.address;
  if (servesPages && isNew && url != null) await requirePublicHost(new URL(url).hostname);
  const { books } = stores.open(site);
  const defined = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
  const settings: StoredAlertSettings = {
    ...readAlertSettings(home, site),
    ...defined,
    ...(url !== undefined && {
      address: url,
      address_may_be_local: !servesPages || (!isNew && before.address_may_be_local),
    }),
  };
  writeFileDurably(getAlertSettingsPath(home, site), `${JSON.stringify(settings, null, 2)}\n`);
  const described = describeAlertSettings(home, site);
  const { desktop, command, address_host, quiet_hours } = described;
  const detail = { desktop, command, address_host, quiet_hours };
  runInTransaction(books, () =>
    addAuditEntry(books, { at: now(), user, action: 'alerts.saveSettings', subject: site, detail }),
  );
  changes.emit(site, 'alerts', 'audit');
  return described;
}
