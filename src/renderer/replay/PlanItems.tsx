import type { ReplayPlanItem } from '../../contract/index.ts';
import { Absent, Moment } from '../controls/Values.tsx';
import type { Column } from '../grid/columns.ts';
import { GridView } from '../grid/GridView.tsx';
import { useList } from '../grid/useList.ts';
import { idColumn } from '../grid/valueColumns.tsx';
import { words } from '../words/words.ts';

const text = words.replay;
const titles = text.itemColumns;

const columns: readonly Column<ReplayPlanItem>[] = [
  idColumn(
    {
      id: 'id',
      title: titles.id,
      width: 106,
    },
    ({ id }) => id,
  ),
  {
    id: 'event',
    title: titles.event,
    width: 160,
    cell: ({ event }) => <span className="grid-strong">{event}</span>,
    copy: ({ event }) => ({ text: event }),
  },
  {
    id: 'created',
    title: titles.created,
    width: 150,
    cell: (row) => <Moment at={row.created_at} />,
    copy: (row) => ({ text: row.created_at }),
  },
  {
    id: 'error',
    title: titles.error,
    width: 130,
    grows: true,
    cell: (row) => row.last_error ?? <Absent />,
    copy: (row) => ({ text: row.last_error ?? '' }),
  },
  {
    id: 'subscription',
    title: titles.subscription,
    width: 100,
    hidden: true,
    cell: (row) => row.subscription_id ?? <Absent />,
    copy: (row) => ({ exact: String(row.subscription_id ?? '') }),
  },
];

const idOf = (row: ReplayPlanItem) => row.id;

/** What a plan would send, in the order of sending. */
export function PlanItems({ site, plan }: { readonly site: string; readonly plan: string }) {
  const grid = useList({
    name: 'planItems',
    list: 'replay.planItems',
    selection: { site, plan },
    idOf,
  });
  return (
    <div className="plan-items">
      <GridView
        name="planItems"
        label={text.theList}
        grid={grid}
        columns={columns}
        pickable={false}
        empty={null}
      />
    </div>
  );
}
