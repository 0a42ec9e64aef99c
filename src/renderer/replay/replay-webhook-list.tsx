import { ListFilter } from 'lucide-react';
import type { ReplayItem, ReplayJob, ReplayOutcome } from '../../contract/index.ts';
import { EmptyState } from '../controls/empty-state.tsx';
import { StatusLabel } from '../controls/status-label.tsx';
import type { GridColumn } from '../grid/columns/column-layout.ts';
import { createColumnFactories } from '../grid/columns/value-columns.tsx';
import { usePagedList } from '../grid/lists/use-paged-list.ts';
import { StatusBar } from '../grid/summary/status-bar.tsx';
import { GridView } from '../grid/view/grid-view.tsx';
import { navigate } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { replayOutcomeStyles } from './replay-outcomes.ts';

const text = texts.replay;
const column = createColumnFactories(text.itemColumns);

const columns: readonly GridColumn<ReplayItem>[] = [
  {
    ...column.head('outcome', 124),
    cell: ({ outcome }) => (
      <StatusLabel
        tone={replayOutcomeStyles[outcome][0]}
        icon={replayOutcomeStyles[outcome][1]}
        text={text.outcomes[outcome]}
      />
    ),
    copy: ({ outcome }) => ({ text: text.outcomes[outcome] }),
  },
  column.id('id', 96, 'id'),
  column.text('event', 186, 'event'),
  column.dateTime('sent', 176, 'sent_at', { precision: 'second' }),
  column.dateTime('resolved', 176, 'resolved_at', { precision: 'second', startsHidden: true }),
  column.text('error', 160, 'last_error', { fillsSpace: true }),
];

const idOf = (item: ReplayItem) => item.id;

interface ReplayItemsProps {
  readonly replay: ReplayJob;
  /** Outcome of the webhooks to list, or null for all outcomes. */
  readonly outcome: ReplayOutcome | null;
}

/** Lists the webhooks of a replay with their outcomes, in the order in which they are sent. */
export function ReplayWebhookList({ replay, outcome }: ReplayItemsProps) {
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
        filters={[text.exportedReplay(job, outcome ? text.outcomes[outcome] : null)]}
        onOpen={open}
        onEscape={() => navigate({ item: null })}
        menu={(row) => [{ id: 'open', label: text.openWebhook, run: () => open(row) }]}
        empty={
          <EmptyState
            icon={ListFilter}
            title={text.noItems}
            text={outcome ? text.outcomeHints[outcome] : ''}
          />
        }
      />
      <StatusBar grid={grid} singular="webhook" />
    </div>
  );
}
