import type { ReplayPlanItem } from '../../contract/index.ts';
import { Moment } from '../controls/values.tsx';
import type { Column } from '../grid/columns.ts';
import { GridView } from '../grid/grid-view.tsx';
import { useList } from '../grid/use-list.ts';
import { idColumn, textColumn } from '../grid/value-columns.tsx';
import { words } from '../words/words.ts';

const text = words.replay;
const titles = text.itemColumns;

const columns: readonly Column<ReplayPlanItem>[] = [
  idColumn({ id: 'id', title: titles.id, width: 106 }, ({ id }) => id),
  textColumn({ id: 'event', title: titles.event, width: 160, tone: 'strong' }, ({ event }) => event),
  {
    id: 'created',
    title: titles.created,
    width: 150,
    cell: (row) => <Moment at={row.created_at} />,
    copy: (row) => ({ text: row.created_at }),
  },
  textColumn({ id: 'error', title: titles.error, width: 130, grows: true }, (row) => row.last_error),
  idColumn(
    { id: 'subscription', title: titles.subscription, width: 100, hidden: true },
    (row) => row.subscription_id,
  ),
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
