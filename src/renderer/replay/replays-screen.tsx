import { Repeat2 } from 'lucide-react';
import type { ReplayJob, Site } from '../../contract/index.ts';
import { capitalize } from '../../domain/text/capitalize.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { EmptyState } from '../controls/empty-state.tsx';
import { SegmentedControl } from '../controls/form-fields.tsx';
import { ColumnChooser } from '../grid/columns/column-chooser.tsx';
import type { GridColumn } from '../grid/columns/column-layout.ts';
import { createColumnFactories, createCountColumn } from '../grid/columns/value-columns.tsx';
import { useCompleteList } from '../grid/lists/use-complete-list.ts';
import { StatusBar } from '../grid/summary/status-bar.tsx';
import { GridView } from '../grid/view/grid-view.tsx';
import { ScreenLayout } from '../layout/screen-layout.tsx';
import { navigate, selectTab, useWindowState } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { ReplayDetail } from './replay-detail.tsx';
import { formatReplayDuration } from './replay-figures.tsx';
import { countFailedWebhooks, ReplayStatus } from './replay-outcomes.ts';
import { ReplayPlanList } from './replay-plan-list.tsx';
import { countReplayWebhooks } from './replay-summary.ts';
import './replay.css';

const text = texts.replay;
const titles = text.columns;
const column = createColumnFactories(titles);

function webhookCountColumn(
  id: 'sum' | 'accepted' | 'failed' | 'left',
  count: (row: ReplayJob) => number,
): GridColumn<ReplayJob> {
  return createCountColumn({ id, title: titles[id], width: 104 }, count);
}

const columns: readonly GridColumn<ReplayJob>[] = [
  column.badge('state', 124, 'state', ReplayStatus),
  column.text('what', 220, (row) => capitalize(row.description), { fillsSpace: true, tone: 'strong' }),
  column.dateTime('started', 158, 'started_at'),
  column.text('took', 104, formatReplayDuration, { tone: 'quiet' }),
  column.text('mode', 92, (row) => text.modes[row.mode].label, { tone: 'quiet' }),
  webhookCountColumn('sum', countReplayWebhooks),
  webhookCountColumn('accepted', ({ counts }) => counts.accepted),
  webhookCountColumn('failed', countFailedWebhooks),
  webhookCountColumn('left', ({ counts }) => counts.waiting),
];

const rowsOf = (replays: readonly ReplayJob[]) => replays;
const idOf = (row: ReplayJob) => row.job;

/** Screen that lists all replays and plans, or shows the replay that is open. */
export function ReplaysScreen({ site }: { readonly site: Site }) {
  const item = useWindowState((state) => state.route.item);
  return item === null ? <ReplayLists site={site} /> : <ReplayDetail site={site} job={item} />;
}

function ReplayLists({ site }: { readonly site: Site }) {
  const view = useWindowState(({ tabs }) => (tabs['replays'] === 'plans' ? 'plans' : 'replays'));
  return (
    <ScreenLayout
      title={text.title}
      actions={
        <>
          <SegmentedControl
            label={text.listed}
            labelUnseen
            value={view}
            onChange={(chosen) => selectTab('replays', chosen)}
            options={[
              { value: 'replays', label: text.replays },
              { value: 'plans', label: text.plans },
            ]}
          />
          {view === 'replays' && <ColumnChooser name="replays" columns={columns} />}
          <CommandButton id="replay.fromIds" />
        </>
      }
    >
      {view === 'plans' ? <ReplayPlanList site={site} /> : <ReplayList site={site} />}
    </ScreenLayout>
  );
}

function ReplayList({ site }: { readonly site: Site }) {
  const grid = useCompleteList({
    name: 'replays',
    procedure: 'replay.list',
    query: { site: site.site },
    rowsOf,
    idOf,
  });
  return (
    <>
      <GridView
        name="replays"
        label={text.grid}
        grid={grid}
        columns={columns}
        isSelectable={false}
        onOpen={(row) => navigate({ item: row.job })}
        empty={
          <EmptyState
            icon={Repeat2}
            title={text.emptyTitle}
            action={<CommandButton id="outages.open" />}
            text={text.emptyText}
          />
        }
      />
      <StatusBar grid={grid} singular="replay" />
    </>
  );
}
