import { Webhook } from 'lucide-react';
import type { Site, WebhookFilter, WebhookRow } from '../../contract/index.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { CommandButton } from '../commands/command-button.tsx';
import type { MenuEntry } from '../controls/menu.tsx';
import { useUnindexedRecordsNotice } from '../filters/use-unindexed-records-notice.ts';
import type { GridColumn } from '../grid/columns/column-layout.ts';
import { ListEmptyState, ListScreen } from '../list-screen/list-screen.tsx';
import { useScreenList } from '../list-screen/use-screen-list.ts';
import { setListFilter, useWindowState } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { webhookColumns } from './webhook-columns.tsx';
import { WebhookDetail } from './webhook-detail.tsx';
import { getWebhookFilterFields } from './webhook-filter-fields.ts';

const text = texts.webhooks;
const sortKeys = ['created_at', 'last_sent_at', 'event', 'id'] as const;
const idOf = (row: WebhookRow) => row.id;

/** Screen that lists the webhook log with delivery states. Users can replay webhooks from here. */
export function WebhooksScreen({ site }: { readonly site: Site }) {
  const filter = useWindowState((state) => state.filters.webhooks);
  const item = useWindowState((state) => state.route.item);
  const { data: facets } = useQuery('webhooks.facets', { site: site.site });
  const { data: errors } = useQuery('webhooks.errors', { site: site.site, filter: {} });
  const unsearchedText = useUnindexedRecordsNotice(site.site, 'webhooks', filter.search);
  const list = useScreenList({
    screen: 'webhooks',
    site: site.site,
    procedure: 'webhooks.list',
    marksProcedure: 'webhooks.marks',
    sortKeys,
    idOf,
    isDetailOpen: item !== null,
  });
  return (
    <ListScreen
      screen="webhooks"
      title={text.title}
      actions={
        <>
          <CommandButton id="webhooks.replayAll" kind="quiet" />
          <CommandButton id="webhooks.replay" kind="primary" />
        </>
      }
      list={list}
      searchLabel={text.search}
      fields={getWebhookFilterFields(facets, errors)}
      label={text.grid}
      columns={webhookColumns}
      menu={(row, column) => cellFilterMenu(filter, row, column)}
      empty={<ListEmptyState screen="webhooks" icon={Webhook} text={text} unsearched={unsearchedText} />}
      singular="webhook"
      statusBar={unsearchedText && <span>{unsearchedText}</span>}
      detail={item === null ? null : <WebhookDetail site={site} id={Number(item)} />}
      detailWidth={460}
    />
  );
}

/** Returns the menu entry that filters the list by the value of a cell. */
function cellFilterMenu(
  filter: WebhookFilter,
  row: WebhookRow,
  column: GridColumn<WebhookRow> | null,
): MenuEntry[] {
  const cellFilter = column && filterByCell(row, column.id);
  if (!column || !cellFilter) return [];
  const [value, part] = cellFilter;
  return [
    {
      id: 'only',
      label: texts.grid.onlyThis(column.title, value),
      run: () => setListFilter('webhooks', { ...filter, ...part }),
    },
  ];
}

/** Returns the text of a cell and a filter for its value, or null if the column cannot be filtered. */
function filterByCell(row: WebhookRow, column: string): readonly [string, WebhookFilter] | null {
  switch (column) {
    case 'event':
      return [row.event, { event: [row.event] }];
    case 'state': {
      const status = row.delivery === 'accepted' ? 'successful' : row.delivery;
      return [texts.webhooks.status[status], { status }];
    }
    case 'subscription':
      return row.subscription_id === null
        ? null
        : [String(row.subscription_id), { subscription_id: row.subscription_id }];
    case 'statement':
      return row.statement_id === null
        ? null
        : [String(row.statement_id), { statement_id: row.statement_id }];
    case 'url':
      return row.last_sent_url === null ? null : [row.last_sent_url, { url: row.last_sent_url }];
    default:
      return null;
  }
}
