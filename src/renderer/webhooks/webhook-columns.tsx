import type { WebhookRow } from '../../contract/index.ts';
import type { GridColumn } from '../grid/columns/column-layout.ts';
import { createColumnFactories, createDateTimeColumn } from '../grid/columns/value-columns.tsx';
import { texts } from '../texts/texts.ts';
import { DeliveryStatus } from './delivery-status.tsx';

const titles = texts.webhooks.columns;
const column = createColumnFactories(titles);

function dateFieldColumn(
  id: 'created' | 'lastSent' | 'accepted' | 'lastErrorAt',
  read: (row: WebhookRow) => string | null,
  more: Partial<GridColumn<WebhookRow>> = {},
): GridColumn<WebhookRow> {
  return createDateTimeColumn({ id, title: titles[id], width: 158, ...more }, read);
}

export const webhookColumns: readonly GridColumn<WebhookRow>[] = [
  column.badge('state', 112, 'delivery', DeliveryStatus),
  column.text('event', 216, 'event', { sortKey: 'event', tone: 'strong' }),
  dateFieldColumn('created', (row) => row.created_at, { sortKey: 'created_at' }),
  column.id('id', 112, 'id', { sortKey: 'id' }),
  column.id('subscription', 104, 'subscription_id'),
  column.text('error', 220, 'last_error', { fillsSpace: true }),
  dateFieldColumn('lastSent', (row) => row.last_sent_at, { sortKey: 'last_sent_at', startsHidden: true }),
  dateFieldColumn('accepted', (row) => row.accepted_at, { startsHidden: true }),
  dateFieldColumn('lastErrorAt', (row) => row.last_error_at, { startsHidden: true }),
  column.id('statement', 104, 'statement_id', { startsHidden: true }),
  column.text('url', 260, 'last_sent_url', { startsHidden: true }),
];
