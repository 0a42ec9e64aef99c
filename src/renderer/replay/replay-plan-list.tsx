import { ClipboardList } from 'lucide-react';
import type { ReplayPlan, Site } from '../../contract/index.ts';
import { capitalize } from '../../domain/text/capitalize.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { EmptyState } from '../controls/empty-state.tsx';
import type { GridColumn } from '../grid/columns/column-layout.ts';
import { createColumnFactories } from '../grid/columns/value-columns.tsx';
import { useCompleteList } from '../grid/lists/use-complete-list.ts';
import { StatusBar } from '../grid/summary/status-bar.tsx';
import { GridView } from '../grid/view/grid-view.tsx';
import { openDialog } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';

const text = texts.replay;
const column = createColumnFactories(text.planColumns);

const columns: readonly GridColumn<ReplayPlan>[] = [
  column.dateTime('made', 158, 'created_at', { isPlain: true }),
  column.text('what', 260, (row) => capitalize(row.description), { fillsSpace: true, tone: 'strong' }),
  column.count('count', 96, 'count'),
  column.dateTime('oldest', 158, 'oldest_at', { isPlain: true }),
  column.dateTime('newest', 158, 'newest_at', { isPlain: true }),
];

const rowsOf = (plans: readonly ReplayPlan[]) => plans.filter(({ job, count }) => job === null && count > 0);
const idOf = (row: ReplayPlan) => row.plan;

/** Lists the replay plans that have not been run, created in the window or on the command line. */
export function ReplayPlanList({ site }: { readonly site: Site }) {
  const grid = useCompleteList({
    name: 'replayPlans',
    procedure: 'replay.plans',
    query: { site: site.site },
    rowsOf,
    idOf,
  });
  return (
    <>
      <GridView
        name="replayPlans"
        label={text.plansGrid}
        grid={grid}
        columns={columns}
        isSelectable={false}
        onOpen={(plan) => openDialog({ kind: 'replay', selection: { plan } })}
        empty={
          <EmptyState
            icon={ClipboardList}
            title={text.noPlansTitle}
            action={<CommandButton id="outages.open" />}
            text={text.noPlans}
          />
        }
      />
      <StatusBar grid={grid} singular="plan" />
    </>
  );
}
