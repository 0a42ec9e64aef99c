import type { Alert, AlertSettings } from '../../contract/webhooks/alerts.ts';
import { alertKindLabels } from '../../domain/labels/alerts.ts';
import { formatMinute } from '../output/format-values.ts';
import { formatLabeledValues, type TableColumn } from '../output/table.ts';
import type { TextLines } from '../output/terminal-text.ts';

const formatDeliveries = ({ deliveries }: Alert): string =>
  deliveries
    .map(({ channel, state, error }) => `${channel} ${state}${error === null ? '' : ` (${error})`}`)
    .join(', ');

export const alertColumns: TableColumn<Alert>[] = [
  { header: 'alert', cell: ({ id }) => id, align: 'right' },
  { header: 'time (UTC)', cell: ({ at }) => formatMinute(at) },
  { header: 'kind', cell: ({ kind }) => alertKindLabels[kind] },
  { header: 'address', cell: ({ endpoint }) => endpoint, minWidth: 16, isOptional: true },
  { header: 'failures', cell: ({ failures }) => failures || null, align: 'right' },
  { header: 'sent through', cell: formatDeliveries, minWidth: 16, isOptional: true },
];

/** Formats an alert as it is printed while watching. */
export const formatAlert = (alert: Alert): TextLines => [
  `${formatMinute(alert.at)}  ${alert.title}`,
  `  ${alert.text}`,
  alert.deliveries.length > 0 && `  Sent through: ${formatDeliveries(alert)}`,
];

export function formatAlertSettings(settings: AlertSettings): TextLines {
  const { desktop, command, address_host, quiet_hours, available_commands, commands_folder } = settings;
  return formatLabeledValues([
    ['desktop notifications', desktop ? 'on' : 'off'],
    ['command', command ?? 'none'],
    ['address', address_host ?? 'none'],
    ['quiet hours', quiet_hours === null ? 'none' : `${quiet_hours.from}-${quiet_hours.to} (local time)`],
    ['available commands', available_commands.length === 0 ? 'none' : available_commands.join(', ')],
    ['commands folder', commands_folder],
  ]);
}
