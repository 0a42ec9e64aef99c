import { CircleCheckBig } from 'lucide-react';
import type { Site, WebhookErrorGroup, WebhookFilter } from '../../contract/index.ts';
import { EmptyState } from '../controls/empty-state.tsx';
import { MissingValue } from '../controls/formatted-values.tsx';
import type { GridColumn } from '../grid/columns/column-layout.ts';
import { createColumnFactories } from '../grid/columns/value-columns.tsx';
import { useCompleteList } from '../grid/lists/use-complete-list.ts';
import { StatusBar } from '../grid/summary/status-bar.tsx';
import { GridView } from '../grid/view/grid-view.tsx';
import { openDialog, openFilteredList } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { formatErrorGroup } from '../texts/webhooks.ts';
import { filterByErrorGroup } from './outage-selection.ts';

const text = texts.outages;
const column = createColumnFactories(text.errorColumns);

const columns: readonly GridColumn<WebhookErrorGroup>[] = [
  {
    ...column.head('error', 112),
    fillsSpace: true,
    cell: ({ error, example }) => (
      <span className="grid-strong" title={example}>
        {formatErrorGroup(error)}
      </span>
    ),
    copy: ({ error }) => ({ text: error }),
  },
  column.count('count', 84, 'count'),
  column.dateTime('first', 108, 'first_at', { isPlain: true, precision: 'day', startsHidden: true }),
  column.dateTime('last', 108, 'last_at', { isPlain: true, precision: 'day' }),
  {
    ...column.head('url', 220),
    startsHidden: true,
    cell: (row) => row.urls[0]?.url ?? <MissingValue />,
    copy: (row) => ({ text: row.urls.map(({ url }) => url).join(' ') }),
  },
];

const rowsOf = (groups: readonly WebhookErrorGroup[]) => groups;
const idOf = (row: WebhookErrorGroup) => row.error;

interface ErrorGroupListProps {
  readonly site: Site;
  /** Filter for the time range whose errors are listed. Empty for the entire log. */
  readonly within: WebhookFilter;
}

/** Lists the reasons why webhooks were not accepted, one row per error group. Enter shows the webhooks of the group. */
export function ErrorGroupList({ site, within }: ErrorGroupListProps) {
  const grid = useCompleteList({
    name: 'errorGroups',
    procedure: 'webhooks.errors',
    query: { site: site.site, filter: within },
    rowsOf,
    idOf,
  });
  const filterOf = (group: WebhookErrorGroup) => filterByErrorGroup(group, within);
  return (
    <>
      <GridView
        name="errorGroups"
        label={text.errors}
        grid={grid}
        columns={columns}
        isSelectable={false}
        onOpen={(row) => openFilteredList('webhooks', filterOf(row))}
        menu={(row) => [
          { id: 'show', label: text.show, run: () => openFilteredList('webhooks', filterOf(row)) },
          {
            id: 'plan',
            label: text.plan,
            run: () => openDialog({ kind: 'replay', selection: { filter: filterOf(row) } }),
          },
        ]}
        empty={<EmptyState icon={CircleCheckBig} title={text.noErrorsTitle} text={text.noErrors} />}
      />
      <StatusBar grid={grid} singular="error group" />
    </>
  );
}
