import type { ReplayPlanItem } from '../../contract/index.ts';
import { DateTime } from '../controls/values.tsx';
import type { GridColumn } from '../grid/columns/columns.ts';
import { idColumn, textColumn } from '../grid/columns/value-columns.tsx';
import { usePagedList } from '../grid/lists/use-paged-list.ts';
import { GridView } from '../grid/view/grid-view.tsx';
import { texts } from '../texts/texts.ts';

const text = texts.replay;
const titles = text.itemColumns;

const columns: readonly GridColumn<ReplayPlanItem>[] = [
  idColumn({ id: 'id', title: titles.id, width: 106 }, ({ id }) => id),
  textColumn({ id: 'event', title: titles.event, width: 160, tone: 'strong' }, ({ event }) => event),
  {
    id: 'created',
    title: titles.created,
    width: 150,
    cell: (row) => <DateTime at={row.created_at} />,
    copy: (row) => ({ text: row.created_at }),
  },
  textColumn({ id: 'error', title: titles.error, width: 130, fillsSpace: true }, (row) => row.last_error),
  idColumn(
    { id: 'subscription', title: titles.subscription, width: 100, isHiddenByDefault: true },
    (row) => row.subscription_id,
  ),
];

const idOf = (row: ReplayPlanItem) => row.id;

/** Lists the webhooks of a replay plan in the order in which they are sent. */
export function ReplayPlanItems({ site, plan }: { readonly site: string; readonly plan: string }) {
  const grid = usePagedList({
    name: 'planItems',
    procedure: 'replay.planItems',
    query: { site, plan },
    idOf,
  });
  return (
    <div className="plan-items">
      <GridView
        name="planItems"
        label={text.theList}
        grid={grid}
        columns={columns}
        isSelectable={false}
        empty={null}
      />
    </div>
  );
}
