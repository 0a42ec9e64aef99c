import { Repeat2 } from 'lucide-react';
import type { ReplayJob, Site } from '../../contract/index.ts';
import { CommandButton } from '../commands/use-commands.tsx';
import { Segments } from '../controls/field.tsx';
import { Empty } from '../controls/pieces.tsx';
import { Screen } from '../frame/screen.tsx';
import { ColumnChooser } from '../grid/column-chooser.tsx';
import type { Column } from '../grid/columns.ts';
import { GridView } from '../grid/grid-view.tsx';
import { StatusBar } from '../grid/status-bar.tsx';
import { useWholeList } from '../grid/use-whole-list.ts';
import { countColumn, momentColumn, textColumn } from '../grid/value-columns.tsx';
import { go, setTab, useView } from '../view/view.ts';
import { capital } from '../words/capital.ts';
import { words } from '../words/words.ts';
import { Cockpit } from './cockpit.tsx';
import { tookText } from './figures.tsx';
import { failures } from './outcomes.ts';
import { PlanList } from './plan-list.tsx';
import { ReplayStatus } from './replay-status.tsx';
import { inAll } from './standing.ts';
import './replay.css';

const text = words.replay;
const titles = text.columns;

function figure(
  id: 'sum' | 'accepted' | 'failed' | 'left',
  count: (row: ReplayJob) => number,
): Column<ReplayJob> {
  return countColumn({ id, title: titles[id], width: 104 }, count);
}

const columns: readonly Column<ReplayJob>[] = [
  {
    id: 'state',
    title: titles.state,
    width: 124,
    cell: (row) => <ReplayStatus state={row.state} pill={false} />,
    copy: (row) => ({ text: text.states[row.state] }),
  },
  textColumn({ id: 'what', title: titles.what, width: 220, grows: true, tone: 'strong' }, (row) =>
    capital(row.description),
  ),
  momentColumn({ id: 'started', title: titles.started, width: 158 }, (row) => row.started_at),
  textColumn({ id: 'took', title: titles.took, width: 104, tone: 'quiet' }, tookText),
  textColumn(
    { id: 'mode', title: titles.mode, width: 92, tone: 'quiet' },
    (row) => text.modes[row.mode].label,
  ),
  figure('sum', inAll),
  figure('accepted', ({ counts }) => counts.accepted),
  figure('failed', failures),
  figure('left', ({ counts }) => counts.waiting),
];

const rowsOf = (replays: readonly ReplayJob[]) => replays;
const idOf = (row: ReplayJob) => row.job;

/** Every replay made here, for good; one of them opened is its cockpit, and its report afterwards. */
export function ReplaysScreen({ site }: { readonly site: Site }) {
  const item = useView((view) => view.route.item);
  return item === null ? <ReplayHistory site={site} /> : <Cockpit site={site} job={item} />;
}

function ReplayHistory({ site }: { readonly site: Site }) {
  const view = useView(({ tabs }) => (tabs['replays'] === 'plans' ? 'plans' : 'replays'));
  return (
    <Screen
      title={text.title}
      actions={
        <>
          <Segments
            label={text.listed}
            labelUnseen
            value={view}
            onChange={(chosen) => setTab('replays', chosen)}
            options={[
              { value: 'replays', label: text.ran },
              { value: 'plans', label: text.planned },
            ]}
          />
          {view === 'replays' && <ColumnChooser name="replays" columns={columns} />}
          <CommandButton id="replay.fromIds" />
        </>
      }
    >
      {view === 'plans' ? <PlanList site={site} /> : <ReplayList site={site} />}
    </Screen>
  );
}

function ReplayList({ site }: { readonly site: Site }) {
  const grid = useWholeList({
    name: 'replays',
    list: 'replay.list',
    selection: { site: site.site },
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
        pickable={false}
        onOpen={(row) => go({ item: row.job })}
        empty={
          <Empty icon={Repeat2} title={text.emptyTitle} action={<CommandButton id="outages.open" />}>
            {text.emptyText}
          </Empty>
        }
      />
      <StatusBar grid={grid} one="replay" />
    </>
  );
}
