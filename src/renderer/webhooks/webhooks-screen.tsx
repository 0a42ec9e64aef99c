import { Webhook } from 'lucide-react';
import type { Site, WebhookFilter, WebhookRow } from '../../contract/index.ts';
import { useQuery } from '../backend/hooks.ts';
import { CommandButton } from '../commands/use-commands.tsx';
import { Button } from '../controls/button.tsx';
import type { MenuEntry } from '../controls/menu.tsx';
import { Empty } from '../controls/pieces.tsx';
import { FilterBar } from '../filters/filter-bar.tsx';
import { useUnread } from '../filters/use-unread.ts';
import { Beside, Screen } from '../frame/screen.tsx';
import { ColumnChooser } from '../grid/column-chooser.tsx';
import type { Column } from '../grid/columns.ts';
import { GridView } from '../grid/grid-view.tsx';
import { StatusBar } from '../grid/status-bar.tsx';
import { useFollow } from '../grid/use-follow.ts';
import { useList } from '../grid/use-list.ts';
import { useSort } from '../grid/use-sort.ts';
import { go, setFilter, useView } from '../view/view.ts';
import { words } from '../words/words.ts';
import { webhookColumns } from './columns.tsx';
import { webhookFields } from './fields.ts';
import { WebhookDetail } from './webhook-detail.tsx';

const orders = ['created_at', 'last_sent_at', 'event', 'id'] as const;
const idOf = (row: WebhookRow) => row.id;
const itemOf = (row: WebhookRow) => String(row.id);

/** The webhook log, what was not accepted in it, and replay. */
export function WebhooksScreen({ site }: { readonly site: Site }) {
  const filter = useView((view) => view.filters.webhooks);
  const item = useView((view) => view.route.item);
  const [sort, setSort] = useSort('webhooks', orders);
  const { data: facets } = useQuery('webhooks.facets', { site: site.site });
  const { data: errors } = useQuery('webhooks.errors', { site: site.site, filter: {} });

  const unread = useUnread(site.site, 'webhooks', filter.search);
  const grid = useList({
    name: 'webhooks',
    list: 'webhooks.list',
    marks: 'webhooks.marks',
    selection: { site: site.site, filter, sort },
    idOf,
  });
  useFollow(grid, item !== null, itemOf);

  return (
    <Screen
      title={words.webhooks.title}
      actions={
        <>
          <CommandButton id="webhooks.replayAll" kind="quiet" />
          <CommandButton id="webhooks.replay" kind="primary" />
        </>
      }
    >
      <FilterBar screen="webhooks" search={words.webhooks.search} fields={webhookFields(facets, errors)}>
        <ColumnChooser name="webhooks" columns={webhookColumns} />
      </FilterBar>
      <Beside
        name="webhooks"
        width={460}
        list={
          <>
            <GridView
              name="webhooks"
              label={words.webhooks.grid}
              grid={grid}
              columns={webhookColumns}
              sort={sort}
              onSort={setSort}
              onOpen={(row) => go({ item: itemOf(row) }, item !== null)}
              onEscape={() => go({ item: null })}
              menu={(row, column) => onlyThis(filter, row, column)}
              empty={<NoWebhooks filtered={Object.keys(filter).length > 0} unread={unread} />}
            />
            <StatusBar grid={grid} one="webhook">
              {unread && <span>{unread}</span>}
            </StatusBar>
          </>
        }
        detail={item === null ? null : <WebhookDetail site={site} id={Number(item)} />}
      />
    </Screen>
  );
}

/** A cell's value as a filter. */
function onlyThis(filter: WebhookFilter, row: WebhookRow, column: Column<WebhookRow> | null): MenuEntry[] {
  const narrowed = column && narrowing(row, column.id);
  if (!column || !narrowed) return [];
  const [value, part] = narrowed;
  return [
    {
      id: 'only',
      label: words.grid.onlyThis(column.title, value),
      run: () => setFilter('webhooks', { ...filter, ...part }),
    },
  ];
}

function narrowing(row: WebhookRow, column: string): readonly [string, WebhookFilter] | null {
  switch (column) {
    case 'event':
      return [row.event, { event: [row.event] }];
    case 'state': {
      const status = row.delivery === 'accepted' ? 'successful' : row.delivery;
      return [words.webhooks.status[status], { status }];
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

function NoWebhooks({ filtered, unread }: { readonly filtered: boolean; readonly unread: string | null }) {
  return filtered ? (
    <Empty
      icon={Webhook}
      title={unread ? words.filters.unread.noneTitle : words.webhooks.noneTitle}
      action={<Button onPress={() => setFilter('webhooks', {})}>{words.filters.clear}</Button>}
    >
      {unread ?? words.webhooks.noneText}
    </Empty>
  ) : (
    <Empty
      icon={Webhook}
      title={words.webhooks.emptyTitle}
      action={<CommandButton id="sync.start" kind="primary" />}
    >
      {words.webhooks.emptyText}
    </Empty>
  );
}
