import { ListFilter } from 'lucide-react';
import type { ReplayItem, ReplayJob, ReplayOutcome } from '../../contract/index.ts';
import { Empty } from '../controls/pieces.tsx';
import { Status } from '../controls/status.tsx';
import { Moment } from '../controls/values.tsx';
import type { Column } from '../grid/columns.ts';
import { GridView } from '../grid/grid-view.tsx';
import { StatusBar } from '../grid/status-bar.tsx';
import { useList } from '../grid/use-list.ts';
import { idColumn, textColumn } from '../grid/value-columns.tsx';
import { go } from '../view/view.ts';
import { words } from '../words/words.ts';
import { outcomeLooks } from './outcomes.ts';

const text = words.replay;
const titles = text.itemColumns;

const columns: readonly Column<ReplayItem>[] = [
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
  idColumn({ id: 'id', title: titles.id, width: 96 }, ({ id }) => id),
  textColumn({ id: 'event', title: titles.event, width: 186 }, ({ event }) => event),
  {
    id: 'sent',
    title: titles.sent,
    width: 176,
    cell: (row) => (
      <span className="grid-quiet">
        <Moment at={row.sent_at} to="second" />
      </span>
    ),
    copy: (row) => ({ text: row.sent_at ?? '' }),
  },
  {
    id: 'resolved',
    title: titles.resolved,
    width: 176,
    hidden: true,
    cell: (row) => (
      <span className="grid-quiet">
        <Moment at={row.resolved_at} to="second" />
      </span>
    ),
    copy: (row) => ({ text: row.resolved_at ?? '' }),
  },
  textColumn({ id: 'error', title: titles.error, width: 160, grows: true }, (row) => row.last_error),
];

const idOf = (item: ReplayItem) => item.id;

interface ReplayItemsProps {
  readonly replay: ReplayJob;
  readonly only: ReplayOutcome | null;
}

/** Each webhook of the replay and what became of it, in the order of sending. */
export function ReplayItems({ replay, only }: ReplayItemsProps) {
  const { site, job } = replay;
  const grid = useList({
    name: 'replayItems',
    list: 'replay.items',
    marks: 'replay.itemMarks',
    selection: { site, job, ...(only ? { outcome: [only] } : {}) },
    idOf,
  });
  const open = (row: ReplayItem) => go({ screen: 'webhooks', item: String(row.id) });
  return (
    <div className="replay-items">
      <GridView
        name="replayItems"
        label={text.items}
        grid={grid}
        columns={columns}
        pickable={false}
        onOpen={open}
        onEscape={() => go({ item: null })}
        menu={(row) => [{ id: 'open', label: text.openWebhook, run: () => open(row) }]}
        empty={
          <Empty icon={ListFilter} title={text.noItems}>
            {only ? text.outcomeHints[only] : ''}
          </Empty>
        }
      />
      <StatusBar grid={grid} one="webhook" />
    </div>
  );
}
