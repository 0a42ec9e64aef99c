import { ClipboardList } from 'lucide-react';
import type { ReplayPlan, Site } from '../../contract/index.ts';
import { CommandButton } from '../commands/use-commands.tsx';
import { Empty } from '../controls/pieces.tsx';
import { Absent, Moment } from '../controls/values.tsx';
import type { Column } from '../grid/columns.ts';
import { GridView } from '../grid/grid-view.tsx';
import { StatusBar } from '../grid/status-bar.tsx';
import { useWholeList } from '../grid/use-whole-list.ts';
import { countColumn, textColumn } from '../grid/value-columns.tsx';
import { openDialog } from '../view/view.ts';
import { capital } from '../words/capital.ts';
import { words } from '../words/words.ts';

const text = words.replay;
const titles = text.planColumns;

const columns: readonly Column<ReplayPlan>[] = [
  {
    id: 'made',
    title: titles.made,
    width: 158,
    cell: (row) => <Moment at={row.created_at} />,
    copy: (row) => ({ text: row.created_at }),
  },
  textColumn({ id: 'what', title: titles.what, width: 260, grows: true, tone: 'strong' }, (row) =>
    capital(row.description),
  ),
  countColumn({ id: 'count', title: titles.count, width: 96 }, (row) => row.count),
  {
    id: 'oldest',
    title: titles.oldest,
    width: 158,
    cell: (row) => (row.oldest_at === null ? <Absent /> : <Moment at={row.oldest_at} />),
    copy: (row) => ({ text: row.oldest_at ?? '' }),
  },
  {
    id: 'newest',
    title: titles.newest,
    width: 158,
    cell: (row) => (row.newest_at === null ? <Absent /> : <Moment at={row.newest_at} />),
    copy: (row) => ({ text: row.newest_at ?? '' }),
  },
];

const rowsOf = (plans: readonly ReplayPlan[]) => plans.filter(({ job, count }) => job === null && count > 0);
const idOf = (row: ReplayPlan) => row.plan;

/** Plans that were made, here or on the command line, and not run yet; one that is opened can be. */
export function PlanList({ site }: { readonly site: Site }) {
  const grid = useWholeList({
    name: 'replayPlans',
    list: 'replay.plans',
    selection: { site: site.site },
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
        pickable={false}
        onOpen={(plan) => openDialog({ kind: 'replay', selection: { plan } })}
        empty={
          <Empty icon={ClipboardList} title={text.noPlansTitle} action={<CommandButton id="outages.open" />}>
            {text.noPlans}
          </Empty>
        }
      />
      <StatusBar grid={grid} one="plan" />
    </>
  );
}
