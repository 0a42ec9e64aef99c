import type { WebhookRow } from '../../contract/index.ts';
import { Absent, Moment } from '../controls/Values.tsx';
import type { Column } from '../grid/columns.ts';
import { words } from '../words/words.ts';
import { DeliveryStatus } from './DeliveryStatus.tsx';

const titles = words.webhooks.columns;

/** An id or its absence, copied as the number it is. */
function idColumn(
  id: 'subscription' | 'statement',
  read: (row: WebhookRow) => number | null,
  hidden: boolean,
): Column<WebhookRow> {
  return {
    id,
    title: titles[id],
    width: 104,
    hidden,
    cell: (row) => <span className="grid-quiet">{read(row) ?? <Absent />}</span>,
    copy: (row) => ({ exact: String(read(row) ?? '') }),
  };
}

function momentColumn(
  id: 'created' | 'lastSent' | 'accepted' | 'lastErrorAt',
  read: (row: WebhookRow) => string | null,
  more: Partial<Column<WebhookRow>> = {},
): Column<WebhookRow> {
  return {
    id,
    title: titles[id],
    width: 158,
    ...more,
    cell: (row) => (
      <span className="grid-quiet">
        <Moment at={read(row)} />
      </span>
    ),
    copy: (row) => ({ text: read(row) ?? '' }),
  };
}

export const webhookColumns: readonly Column<WebhookRow>[] = [
  {
    id: 'state',
    title: titles.state,
    width: 112,
    cell: (row) => <DeliveryStatus delivery={row.delivery} />,
    copy: (row) => ({ text: words.webhooks.delivery[row.delivery] }),
  },
  {
    id: 'event',
    title: titles.event,
    width: 216,
    sort: 'event',
    cell: (row) => <span className="grid-strong">{row.event}</span>,
    copy: (row) => ({ text: row.event }),
  },
  momentColumn('created', (row) => row.created_at, { sort: 'created_at' }),
  {
    id: 'id',
    title: titles.id,
    width: 112,
    sort: 'id',
    cell: (row) => <span className="grid-quiet">{row.id}</span>,
    copy: (row) => ({ exact: String(row.id) }),
  },
  idColumn('subscription', (row) => row.subscription_id, false),
  {
    id: 'error',
    title: titles.error,
    width: 220,
    grows: true,
    cell: (row) =>
      row.last_error === null ? <Absent /> : <span title={row.last_error}>{row.last_error}</span>,
    copy: (row) => ({ text: row.last_error ?? '' }),
  },
  momentColumn('lastSent', (row) => row.last_sent_at, { sort: 'last_sent_at', hidden: true }),
  momentColumn('accepted', (row) => row.accepted_at, { hidden: true }),
  momentColumn('lastErrorAt', (row) => row.last_error_at, { hidden: true }),
  idColumn('statement', (row) => row.statement_id, true),
  {
    id: 'url',
    title: titles.url,
    width: 260,
    hidden: true,
    cell: (row) => row.last_sent_url ?? <Absent />,
    copy: (row) => ({ text: row.last_sent_url ?? '' }),
  },
];
