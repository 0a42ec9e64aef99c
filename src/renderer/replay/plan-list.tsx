import { ClipboardList } from 'lucide-react';
import type { ReplayPlan, Site } from '../../contract/index.ts';
import { capitalize } from '../../domain/text/capitalize.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { EmptyState } from '../controls/empty-state.tsx';
import { DateTime, NoValue } from '../controls/values.tsx';
import type { GridColumn } from '../grid/columns/columns.ts';
import { countColumn, textColumn } from '../grid/columns/value-columns.tsx';
import { useCompleteList } from '../grid/lists/use-complete-list.ts';
import { StatusBar } from '../grid/summary/status-bar.tsx';
import { GridView } from '../grid/view/grid-view.tsx';
import { openDialog } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';

const text = texts.replay;
const titles = text.planColumns;

const columns: readonly GridColumn<ReplayPlan>[] = [
  {
    id: 'made',
    title: titles.made,
    width: 158,
    cell: (row) => <DateTime at={row.created_at} />,
    copy: (row) => ({ text: row.created_at }),
  },
  textColumn({ id: 'what', title: titles.what, width: 260, fillsSpace: true, tone: 'strong' }, (row) =>
    capitalize(row.description),
  ),
  countColumn({ id: 'count', title: titles.count, width: 96 }, (row) => row.count),
  {
    id: 'oldest',
    title: titles.oldest,
    width: 158,
    cell: (row) => (row.oldest_at === null ? <NoValue /> : <DateTime at={row.oldest_at} />),
    copy: (row) => ({ text: row.oldest_at ?? '' }),
  },
  {
    id: 'newest',
    title: titles.newest,
    width: 158,
    cell: (row) => (row.newest_at === null ? <NoValue /> : <DateTime at={row.newest_at} />),
    copy: (row) => ({ text: row.newest_at ?? '' }),
  },
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
          >
            {text.noPlans}
          </EmptyState>
        }
      />
      <StatusBar grid={grid} singular="plan" />
    </>
  );
}
