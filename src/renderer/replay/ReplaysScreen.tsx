import { Repeat2 } from 'lucide-react';
import { useMemo } from 'react';
import type { ReplayJob, Site } from '../../contract/index.ts';
import { useClient, useQuery } from '../backend/hooks.ts';
import { runCommand } from '../commands/command.ts';
import { CommandButton, commandNamed, useCommandContext } from '../commands/useCommands.tsx';
import { Button } from '../controls/Button.tsx';
import { Empty, Skeleton } from '../controls/Pieces.tsx';
import { Moment } from '../controls/Values.tsx';
import { ErrorNote } from '../errors/ErrorNote.tsx';
import { Beside, Detail, Screen } from '../frame/Screen.tsx';
import { ColumnChooser } from '../grid/ColumnChooser.tsx';
import type { Column } from '../grid/columns.ts';
import type { Page, Source } from '../grid/controller.ts';
import { GridView } from '../grid/GridView.tsx';
import { StatusBar } from '../grid/StatusBar.tsx';
import { useFollow } from '../grid/useFollow.ts';
import { useGrid } from '../grid/useGrid.ts';
import { go, useView } from '../view/view.ts';
import { countText } from '../words/numbers.ts';
import { words } from '../words/words.ts';
import { failures } from './outcomes.ts';
import { ReplayActions, ReplayProgress } from './ReplayProgress.tsx';
import { ReplayStatus } from './ReplayStatus.tsx';

const text = words.replay;
const titles = text.columns;

const columns: readonly Column<ReplayJob>[] = [
  {
    id: 'state',
    title: titles.state,
    width: 120,
    cell: (row) => <ReplayStatus state={row.state} pill={false} />,
    copy: (row) => ({ text: text.states[row.state] }),
  },
  {
    id: 'what',
    title: titles.what,
    width: 240,
    grows: true,
    cell: (row) => <span className="grid-strong">{row.description}</span>,
    copy: (row) => ({ text: row.description }),
  },
  {
    id: 'started',
    title: titles.started,
    width: 158,
    cell: (row) => (
      <span className="grid-quiet">
        <Moment at={row.started_at} />
      </span>
    ),
    copy: (row) => ({ text: row.started_at }),
  },
  {
    id: 'accepted',
    title: titles.accepted,
    width: 92,
    end: true,
    cell: (row) => countText(row.counts.accepted),
    copy: (row) => ({ exact: String(row.counts.accepted) }),
  },
  {
    id: 'failed',
    title: titles.failed,
    width: 108,
    end: true,
    cell: (row) => countText(failures(row)),
    copy: (row) => ({ exact: String(failures(row)) }),
  },
];

const idOf = (row: ReplayJob) => row.job;

/** Every replay made here, and what became of it. */
export function ReplaysScreen({ site }: { readonly site: Site }) {
  const client = useClient();
  const item = useView((view) => view.route.item);
  const source = useMemo(
    (): Source<ReplayJob> => ({
      key: site.site,
      page: async (_after, _limit, signal) => {
        const rows = await client.replay.list({ site: site.site }, { signal });
        return { rows, next: null, total: { count: rows.length, exact: true } };
      },
    }),
    [client, site.site],
  );
  const grid = useGrid<ReplayJob, Page<ReplayJob>>({
    name: 'replays',
    source,
    idOf,
    list: 'replay.list',
    site: site.site,
  });
  useFollow(grid, item !== null, idOf);
  return (
    <Screen title={text.title} actions={<ColumnChooser name="replays" columns={columns} />}>
      <Beside
        name="replays"
        width={520}
        list={
          <>
            <GridView
              name="replays"
              label={text.grid}
              grid={grid}
              columns={columns}
              pickable={false}
              onOpen={(row) => go({ item: row.job }, item !== null)}
              onEscape={() => go({ item: null })}
              empty={<NoReplays />}
            />
            <StatusBar grid={grid} one="replay" />
          </>
        }
        detail={item === null ? null : <ReplayDetail site={site} job={item} />}
      />
    </Screen>
  );
}

function NoReplays() {
  const context = useCommandContext();
  return (
    <Empty
      icon={Repeat2}
      title={text.emptyTitle}
      action={
        <Button onPress={() => void runCommand(commandNamed('webhooks.failed'), context)}>
          {text.toFailed}
        </Button>
      }
    >
      {text.emptyText}
    </Empty>
  );
}

function ReplayDetail({ site, job }: { readonly site: Site; readonly job: string }) {
  const { data: replay, error } = useQuery('replay.get', { site: site.site, job });
  return (
    <Detail
      label={text.running}
      head={<h2>{text.running}</h2>}
      actions={
        <>
          {replay && <ReplayActions site={site.site} replay={replay} />}
          <CommandButton id="view.closeDetail" kind="quiet" bare />
        </>
      }
    >
      <div className="detail-body">
        {error && <ErrorNote error={error} />}
        {replay ? (
          <ReplayProgress key={replay.job} site={site.site} replay={replay} />
        ) : (
          !error && <Skeleton />
        )}
      </div>
    </Detail>
  );
}
