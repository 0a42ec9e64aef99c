import { CircleCheckBig } from 'lucide-react';
import type { ErrorGroup, Site, WebhookFilter } from '../../contract/index.ts';
import { Empty } from '../controls/pieces.tsx';
import { Absent, Moment } from '../controls/values.tsx';
import type { Column } from '../grid/columns.ts';
import { GridView } from '../grid/grid-view.tsx';
import { useWholeList } from '../grid/use-whole-list.ts';
import { countColumn } from '../grid/value-columns.tsx';
import { openDialog, showFiltered } from '../view/view.ts';
import { errorName } from '../words/webhooks.ts';
import { words } from '../words/words.ts';
import { withError } from './front.ts';

const text = words.outages;
const titles = text.errorColumns;

const columns: readonly Column<ErrorGroup>[] = [
  {
    id: 'error',
    title: titles.error,
    width: 112,
    grows: true,
    cell: ({ error, example }) => (
      <span className="grid-strong" title={example}>
        {errorName(error)}
      </span>
    ),
    copy: ({ error }) => ({ text: error }),
  },
  countColumn({ id: 'count', title: titles.count, width: 84 }, ({ count }) => count),
  {
    id: 'first',
    title: titles.first,
    width: 108,
    hidden: true,
    cell: (row) => <Moment at={row.first_at} to="day" />,
    copy: (row) => ({ text: row.first_at ?? '' }),
  },
  {
    id: 'last',
    title: titles.last,
    width: 108,
    cell: (row) => <Moment at={row.last_at} to="day" />,
    copy: (row) => ({ text: row.last_at ?? '' }),
  },
  {
    id: 'url',
    title: titles.url,
    width: 220,
    hidden: true,
    cell: (row) => row.urls[0]?.url ?? <Absent />,
    copy: (row) => ({ text: row.urls.map(({ url }) => url).join(' ') }),
  },
];

const rowsOf = (groups: readonly ErrorGroup[]) => groups;
const idOf = (row: ErrorGroup) => row.error;

interface ErrorGroupsProps {
  readonly site: Site;
  /** Of a stretch of time; empty for the whole log. */
  readonly within: WebhookFilter;
}

/** Why webhooks were not accepted: one row a kind of error. Enter shows its webhooks. */
export function ErrorGroups({ site, within }: ErrorGroupsProps) {
  const grid = useWholeList({
    name: 'errorGroups',
    list: 'webhooks.errors',
    selection: { site: site.site, filter: within },
    rowsOf,
    idOf,
  });
  const filterOf = (group: ErrorGroup) => withError(group, within);
  return (
    <GridView
      name="errorGroups"
      label={text.errors}
      grid={grid}
      columns={columns}
      pickable={false}
      onOpen={(row) => showFiltered('webhooks', filterOf(row))}
      menu={(row) => [
        { id: 'show', label: text.show, run: () => showFiltered('webhooks', filterOf(row)) },
        {
          id: 'plan',
          label: text.plan,
          run: () => openDialog({ kind: 'replay', selection: { filter: filterOf(row) } }),
        },
      ]}
      empty={
        <Empty icon={CircleCheckBig} title={text.noErrorsTitle}>
          {text.noErrors}
        </Empty>
      }
    />
  );
}
