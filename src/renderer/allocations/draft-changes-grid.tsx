import { ListFilter } from 'lucide-react';
import type { AllocationChange, AllocationDraft, ContractInputs } from '../../contract/index.ts';
import { EmptyState } from '../controls/empty-state.tsx';
import { MissingValue } from '../controls/formatted-values.tsx';
import type { GridColumn } from '../grid/columns/column-layout.ts';
import { createColumnFactories } from '../grid/columns/value-columns.tsx';
import { usePagedList } from '../grid/lists/use-paged-list.ts';
import { StatusBar } from '../grid/summary/status-bar.tsx';
import { GridView } from '../grid/view/grid-view.tsx';
import { navigate, openDialog } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { DRAFTS_ROUTE_ITEM } from './allocation-route.ts';
import { AllocationChangeStatus } from './allocation-status.tsx';

const text = texts.changes;
const titles = text.changeColumns;

export type DraftChangeFilter = 'all' | 'ready' | 'problems' | 'wrong';

const changeFilters: Record<DraftChangeFilter, Partial<ContractInputs['allocations']['changes']>> = {
  all: {},
  ready: { show: 'ready' },
  problems: { show: 'problems' },
  wrong: { outcome: ['refused', 'quantity_changed', 'undecided', 'not_applied', 'verifying'] },
};

const idOf = (change: AllocationChange) => change.ordinal;

/** Lists the changes of a draft in draft order, with their outcomes. */
export function DraftChangesGrid(props: {
  readonly draft: AllocationDraft;
  readonly filter: DraftChangeFilter;
}) {
  const { site, draft: id } = props.draft;
  const grid = usePagedList({
    name: 'allocationChanges',
    procedure: 'allocations.changes',
    query: { site, draft: id, ...changeFilters[props.filter] },
    idOf,
  });
  const open = (change: AllocationChange) =>
    openDialog({ kind: 'change', draft: id, ordinal: change.ordinal });
  return (
    <div className="component-history">
      <div className="draft-grid">
        <GridView
          name="allocationChanges"
          label={text.changesGrid}
          grid={grid}
          columns={columns}
          isSelectable={false}
          onOpen={open}
          onEscape={() => navigate({ item: DRAFTS_ROUTE_ITEM })}
          empty={<EmptyState icon={ListFilter} title={text.noChanges} text={text.filters[props.filter]} />}
        />
        <StatusBar grid={grid} singular={text.changeOne} />
      </div>
    </div>
  );
}

const column = createColumnFactories(titles);
const hidden = { startsHidden: true };
const columns: readonly GridColumn<AllocationChange>[] = [
  {
    ...column.head('outcome', 140),
    cell: (row) => <AllocationChangeStatus change={row} />,
    copy: (row) => ({ text: row.problem ? text.problems[row.problem] : text.outcomes[row.outcome] }),
  },
  column.id('line', 52, (row) => row.line ?? row.ordinal + 1, { alignEnd: true }),
  column.id('subscription', 104, 'subscription_id'),
  {
    ...column.head('component', 112),
    cell: (row) => row.component_name ?? row.component_id ?? <MissingValue />,
    copy: (row) => ({ exact: String(row.component_id ?? '') }),
  },
  column.quantity('now', 62, 'current_quantity'),
  column.quantity('quantity', 62, 'quantity', { tone: 'strong' }),
  column.text('direction', 96, (row) => row.direction && text.directions[row.direction]),
  column.text('scheme', 152, formatScheme, { tone: 'quiet' }),
  column.text('reason', 200, formatReason, { fillsSpace: true }),
  column.text('customer', 150, 'customer_name', hidden),
  column.text('memo', 150, 'memo', hidden),
];

function formatScheme({ direction, scheme, scheme_seen }: AllocationChange): string {
  return direction === null || direction === 'none' ? '' : text.scheme(scheme, scheme_seen);
}

/** Formats the reason why a change is excluded or unresolved. The service's own message takes precedence. */
function formatReason({ problem_text, error, evidence, outcome }: AllocationChange): string | null {
  if (problem_text !== null) return problem_text;
  if (error !== null) return error.errors?.join(' ') ?? error.message;
  return outcome === 'undecided' || outcome === 'verifying' ? (evidence?.verdict ?? null) : null;
}
