import { ListFilter } from 'lucide-react';
import type { ReplayItem, ReplayJob, ReplayOutcome } from '../../contract/index.ts';
import { EmptyState } from '../controls/empty-state.tsx';
import { StatusLabel } from '../controls/status-label.tsx';
import { DateTime } from '../controls/values.tsx';
import type { GridColumn } from '../grid/columns/columns.ts';
import { idColumn, textColumn } from '../grid/columns/value-columns.tsx';
import { usePagedList } from '../grid/lists/use-paged-list.ts';
import { StatusBar } from '../grid/summary/status-bar.tsx';
import { GridView } from '../grid/view/grid-view.tsx';
import { navigate } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { replayOutcomeStyles } from './replay-outcomes.ts';

const text = texts.replay;
const titles = text.itemColumns;

const columns: readonly GridColumn<ReplayItem>[] = [
  {
    id: 'outcome',
    title: titles.outcome,
    width: 124,
    cell: ({ outcome }) => (
      <StatusLabel tone={replayOutcomeStyles[outcome][0]} icon={replayOutcomeStyles[outcome][1]}>
        {text.outcomes[outcome]}
      </StatusLabel>
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
        <DateTime at={row.sent_at} precision="second" />
      </span>
    ),
    copy: (row) => ({ text: row.sent_at ?? '' }),
  },
  {
    id: 'resolved',
    title: titles.resolved,
    width: 176,
    isHiddenByDefault: true,
    cell: (row) => (
      <span className="grid-quiet">
        <DateTime at={row.resolved_at} precision="second" />
      </span>
    ),
    copy: (row) => ({ text: row.resolved_at ?? '' }),
  },
  textColumn({ id: 'error', title: titles.error, width: 160, fillsSpace: true }, (row) => row.last_error),
];

const idOf = (item: ReplayItem) => item.id;

interface ReplayItemsProps {
  readonly replay: ReplayJob;
  /** Outcome of the webhooks to list, or null for all outcomes. */
  readonly outcome: ReplayOutcome | null;
}

/** Lists the webhooks of a replay with their outcomes, in the order in which they are sent. */
export function ReplayItems({ replay, outcome }: ReplayItemsProps) {
  const { site, job } = replay;
  const grid = usePagedList({
    name: 'replayItems',
    procedure: 'replay.items',
    marksProcedure: 'replay.itemMarks',
    query: { site, job, ...(outcome ? { outcome: [outcome] } : {}) },
    idOf,
  });
  const open = (row: ReplayItem) => navigate({ screen: 'webhooks', item: String(row.id) });
  return (
    <div className="replay-items">
      <GridView
        name="replayItems"
        label={text.items}
        grid={grid}
        columns={columns}
        isSelectable={false}
        onOpen={open}
        onEscape={() => navigate({ item: null })}
        menu={(row) => [{ id: 'open', label: text.openWebhook, run: () => open(row) }]}
        empty={
          <EmptyState icon={ListFilter} title={text.noItems}>
            {outcome ? text.outcomeHints[outcome] : ''}
          </EmptyState>
        }
      />
      <StatusBar grid={grid} singular="webhook" />
    </div>
  );
}
