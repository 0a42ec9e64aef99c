import type { WebhookRow } from '../../contract/index.ts';
import type { GridColumn } from '../grid/columns/columns.ts';
import { dateTimeColumn, idColumn, textColumn } from '../grid/columns/value-columns.tsx';
import { texts } from '../texts/texts.ts';
import { DeliveryStatus } from './delivery-status.tsx';

const titles = texts.webhooks.columns;

function dateFieldColumn(
  id: 'created' | 'lastSent' | 'accepted' | 'lastErrorAt',
  read: (row: WebhookRow) => string | null,
  more: Partial<GridColumn<WebhookRow>> = {},
): GridColumn<WebhookRow> {
  return dateTimeColumn({ id, title: titles[id], width: 158, ...more }, read);
}

export const webhookColumns: readonly GridColumn<WebhookRow>[] = [
  {
    id: 'state',
    title: titles.state,
    width: 112,
    cell: (row) => <DeliveryStatus delivery={row.delivery} />,
    copy: (row) => ({ text: texts.webhooks.delivery[row.delivery] }),
  },
  textColumn(
    { id: 'event', title: titles.event, width: 216, sortKey: 'event', tone: 'strong' },
    (row) => row.event,
  ),
  dateFieldColumn('created', (row) => row.created_at, { sortKey: 'created_at' }),
  idColumn({ id: 'id', title: titles.id, width: 112, sortKey: 'id' }, (row) => row.id),
  idColumn({ id: 'subscription', title: titles.subscription, width: 104 }, (row) => row.subscription_id),
  textColumn({ id: 'error', title: titles.error, width: 220, fillsSpace: true }, (row) => row.last_error),
  dateFieldColumn('lastSent', (row) => row.last_sent_at, {
    sortKey: 'last_sent_at',
    isHiddenByDefault: true,
  }),
  dateFieldColumn('accepted', (row) => row.accepted_at, { isHiddenByDefault: true }),
  dateFieldColumn('lastErrorAt', (row) => row.last_error_at, { isHiddenByDefault: true }),
  idColumn(
    { id: 'statement', title: titles.statement, width: 104, isHiddenByDefault: true },
    (row) => row.statement_id,
  ),
  textColumn(
    { id: 'url', title: titles.url, width: 260, isHiddenByDefault: true },
    (row) => row.last_sent_url,
  ),
];
