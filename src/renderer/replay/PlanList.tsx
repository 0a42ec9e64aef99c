import { ClipboardList } from 'lucide-react';
import { useMemo } from 'react';
import type { ReplayPlan, Site } from '../../contract/index.ts';
import { useClient } from '../backend/hooks.ts';
import { CommandButton } from '../commands/useCommands.tsx';
import { Empty } from '../controls/Pieces.tsx';
import { Absent, Moment } from '../controls/Values.tsx';
import type { Column } from '../grid/columns.ts';
import type { Page, Source } from '../grid/controller.ts';
import { GridView } from '../grid/GridView.tsx';
import { StatusBar } from '../grid/StatusBar.tsx';
import { useGrid } from '../grid/useGrid.ts';
import { countColumn, textColumn } from '../grid/valueColumns.tsx';
import { openDialog } from '../view/view.ts';
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
  textColumn(
    { id: 'what', title: titles.what, width: 260, grows: true, tone: 'strong' },
    (row) => row.description,
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

const idOf = (row: ReplayPlan) => row.plan;

/** Plans that were made, here or on the command line, and not run yet; one that is opened can be. */
export function PlanList({ site }: { readonly site: Site }) {
  const client = useClient();
  const source = useMemo(
    (): Source<ReplayPlan> => ({
      key: `plans ${site.site}`,
      page: async (_after, _limit, signal) => {
        const plans = await client.replay.plans({ site: site.site }, { signal });
        const rows = plans.filter(({ job, count }) => job === null && count > 0);
        return { rows, next: null, total: { count: rows.length, exact: true } };
      },
    }),
    [client, site.site],
  );
  const grid = useGrid<ReplayPlan, Page<ReplayPlan>>({
    name: 'replayPlans',
    source,
    idOf,
    list: 'replay.plans',
    site: site.site,
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
