import { CircleStop, Pause, Play, Repeat2 } from 'lucide-react';
import { useMemo } from 'react';
import { errorOf, type ReplayItem, type ReplayJob } from '../../contract/index.ts';
import { useClient } from '../backend/hooks.ts';
import { useCommandContext } from '../commands/useCommands.tsx';
import { Button } from '../controls/Button.tsx';
import { Panel } from '../controls/Pieces.tsx';
import { Status } from '../controls/Status.tsx';
import { Absent, Facts, Moment } from '../controls/Values.tsx';
import { errorLine } from '../errors/errorWords.ts';
import type { Column } from '../grid/columns.ts';
import type { Page, Source } from '../grid/controller.ts';
import { GridView } from '../grid/GridView.tsx';
import { useGrid } from '../grid/useGrid.ts';
import { closeDialog, go, notify, openDialog } from '../view/view.ts';
import { countText } from '../words/numbers.ts';
import { words } from '../words/words.ts';
import { failures, isUnderWay, outcomeLooks, outcomes } from './outcomes.ts';
import { ReplayStatus } from './ReplayStatus.tsx';
import './replay.css';

const text = words.replay;

interface ReplayProps {
  readonly site: string;
  readonly replay: ReplayJob;
}

/** A replay as it goes on, and afterwards: the outcome of each id, which stays. */
export function ReplayProgress({ site, replay }: ReplayProps) {
  const known = outcomes.filter((outcome) => replay.counts[outcome] > 0);
  const all = known.reduce((sum, outcome) => sum + replay.counts[outcome], 0);
  return (
    <>
      <div className="replay-state">
        <ReplayStatus state={replay.state} />
        <span>{replay.description}</span>
      </div>
      {replay.reason && <p className="callout callout-warn">{replay.reason}</p>}
      <Panel title={text.outcomesOf}>
        <div className="outcome-bar" aria-hidden="true">
          {known.map((outcome) => (
            <span
              key={outcome}
              className={`outcome-${outcomeLooks[outcome][0]}`}
              style={{ flexGrow: replay.counts[outcome] / Math.max(1, all) }}
            />
          ))}
        </div>
        <ul className="outcome-counts">
          {known.map((outcome) => {
            const [tone, icon] = outcomeLooks[outcome];
            return (
              <li key={outcome}>
                <Status tone={tone} icon={icon}>
                  {text.outcomes[outcome]}
                </Status>
                <b>{countText(replay.counts[outcome])}</b>
              </li>
            );
          })}
        </ul>
      </Panel>
      <Facts
        rows={[
          [text.step, text.steps[replay.step] ?? replay.step],
          [text.pace, text.modes[replay.mode].label],
          [text.columns.started, <Moment key="started" at={replay.started_at} to="second" />],
          replay.ended_at === null
            ? null
            : [text.columns.ended, <Moment key="ended" at={replay.ended_at} to="second" />],
          [text.requests, text.requestCount(replay.requests.total, replay.requests.minimum)],
        ]}
      />
      <Items site={site} replay={replay} />
    </>
  );
}

/** Pause, resume, end; and afterwards the failures alone. */
export function ReplayActions({ site, replay }: ReplayProps) {
  const client = useClient();
  const { away } = useCommandContext();
  const at = { site, job: replay.job };
  const attempt = (doing: Promise<unknown>) => {
    doing.catch((thrown: unknown) => notify(errorLine(errorOf(thrown)), 'bad'));
  };
  const retry = async () => {
    const plan = await client.replay.retryFailures(at);
    closeDialog();
    openDialog({ kind: 'replay', selection: { plan } });
  };
  if (isUnderWay(replay)) {
    return (
      <>
        {replay.state === 'running' ? (
          <Button icon={Pause} onPress={() => attempt(client.replay.pause(at))}>
            {text.pause}
          </Button>
        ) : (
          <Button icon={Play} reason={away} onPress={() => attempt(client.replay.resume(at))}>
            {text.resume}
          </Button>
        )}
        <Button icon={CircleStop} onPress={() => attempt(client.replay.cancel(at))}>
          {text.stop}
        </Button>
      </>
    );
  }
  return (
    <>
      {replay.state === 'interrupted' && (
        <Button icon={Play} reason={away} onPress={() => attempt(client.replay.resume(at))}>
          {text.resume}
        </Button>
      )}
      <Button
        icon={Repeat2}
        reason={failures(replay) === 0 ? text.noFailures : null}
        onPress={() => attempt(retry())}
      >
        {text.retryFailures}
      </Button>
    </>
  );
}

const titles = text.itemColumns;
const itemColumns: readonly Column<ReplayItem>[] = [
  {
    id: 'outcome',
    title: titles.outcome,
    width: 124,
    cell: ({ outcome }) => (
      <Status tone={outcomeLooks[outcome][0]} icon={outcomeLooks[outcome][1]}>
        {text.outcomes[outcome]}
      </Status>
    ),
    copy: ({ outcome }) => ({ text: text.outcomes[outcome] }),
  },
  {
    id: 'id',
    title: titles.id,
    width: 96,
    cell: ({ id }) => <span className="grid-quiet">{id}</span>,
    copy: ({ id }) => ({ exact: String(id) }),
  },
  {
    id: 'event',
    title: titles.event,
    width: 180,
    cell: ({ event }) => event,
    copy: ({ event }) => ({ text: event }),
  },
  {
    id: 'sent',
    title: titles.sent,
    width: 156,
    hidden: true,
    cell: (row) => <Moment at={row.sent_at} />,
    copy: (row) => ({ text: row.sent_at ?? '' }),
  },
  {
    id: 'error',
    title: titles.error,
    width: 160,
    grows: true,
    cell: (row) => row.last_error ?? <Absent />,
    copy: (row) => ({ text: row.last_error ?? '' }),
  },
];

const idOf = (item: ReplayItem) => item.id;

function Items({ site, replay }: ReplayProps) {
  const client = useClient();
  const { job } = replay;
  const source = useMemo(
    (): Source<ReplayItem> => ({
      key: `${site} ${job}`,
      page: (after, limit, signal) => client.replay.items({ site, job, limit, after }, { signal }),
    }),
    [client, site, job],
  );
  const grid = useGrid<ReplayItem, Page<ReplayItem>>({
    name: 'replayItems',
    source,
    idOf,
    list: 'replay.items',
    site,
  });
  return (
    <div className="replay-items">
      <GridView
        name="replayItems"
        label={text.items}
        grid={grid}
        columns={itemColumns}
        pickable={false}
        menu={(row) => [
          {
            id: 'open',
            label: text.openWebhook,
            run: () => {
              closeDialog();
              go({ screen: 'webhooks', item: String(row.id) });
            },
          },
        ]}
        empty={null}
      />
    </div>
  );
}
