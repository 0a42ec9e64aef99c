import type { WebhookRow } from '../../contract/index.ts';
import type { Column } from '../grid/columns.ts';
import { idColumn, momentColumn, textColumn } from '../grid/value-columns.tsx';
import { words } from '../words/words.ts';
import { DeliveryStatus } from './delivery-status.tsx';

const titles = words.webhooks.columns;

function moment(
  id: 'created' | 'lastSent' | 'accepted' | 'lastErrorAt',
  read: (row: WebhookRow) => string | null,
  more: Partial<Column<WebhookRow>> = {},
): Column<WebhookRow> {
  return momentColumn({ id, title: titles[id], width: 158, ...more }, read);
}

export const webhookColumns: readonly Column<WebhookRow>[] = [
  {
    id: 'state',
    title: titles.state,
    width: 112,
    cell: (row) => <DeliveryStatus delivery={row.delivery} />,
    copy: (row) => ({ text: words.webhooks.delivery[row.delivery] }),
  },
  textColumn(
    { id: 'event', title: titles.event, width: 216, sort: 'event', tone: 'strong' },
    (row) => row.event,
  ),
  moment('created', (row) => row.created_at, { sort: 'created_at' }),
  idColumn({ id: 'id', title: titles.id, width: 112, sort: 'id' }, (row) => row.id),
  idColumn({ id: 'subscription', title: titles.subscription, width: 104 }, (row) => row.subscription_id),
  textColumn({ id: 'error', title: titles.error, width: 220, grows: true }, (row) => row.last_error),
  moment('lastSent', (row) => row.last_sent_at, { sort: 'last_sent_at', hidden: true }),
  moment('accepted', (row) => row.accepted_at, { hidden: true }),
  moment('lastErrorAt', (row) => row.last_error_at, { hidden: true }),
  idColumn({ id: 'statement', title: titles.statement, width: 104, hidden: true }, (row) => row.statement_id),
  textColumn({ id: 'url', title: titles.url, width: 260, hidden: true }, (row) => row.last_sent_url),
];
