import { ListFilter } from 'lucide-react';
import type { AllocationChange, AllocationDraft, Inputs } from '../../contract/index.ts';
import { EmptyState } from '../controls/empty-state.tsx';
import { NoValue } from '../controls/values.tsx';
import type { GridColumn } from '../grid/columns/columns.ts';
import { idColumn, quantityColumn, textColumn } from '../grid/columns/value-columns.tsx';
import { usePagedList } from '../grid/lists/use-paged-list.ts';
import { StatusBar } from '../grid/summary/status-bar.tsx';
import { GridView } from '../grid/view/grid-view.tsx';
import { navigate, openDialog } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { DRAFTS_ITEM } from './allocation-route.ts';
import { AllocationChangeStatus } from './change-status.tsx';

const text = texts.changes;
const titles = text.changeColumns;

/** Filter for the changes listed in a draft. */
export type DraftChangeFilter = 'all' | 'ready' | 'problems' | 'wrong';

const changeFilters: Record<DraftChangeFilter, Partial<Inputs['allocations']['changes']>> = {
  all: {},
  ready: { show: 'ready' },
  problems: { show: 'problems' },
  wrong: { outcome: ['refused', 'moved', 'undecided', 'not_applied', 'looking'] },
};

const idOf = (change: AllocationChange) => change.ordinal;

interface ChangesGridProps {
  readonly draft: AllocationDraft;
  readonly filter: DraftChangeFilter;
}

/** Lists the changes of a draft in draft order, with their outcomes. */
export function ChangesGrid({ draft, filter }: ChangesGridProps) {
  const { site, draft: id } = draft;
  const grid = usePagedList({
    name: 'allocationChanges',
    procedure: 'allocations.changes',
    query: { site, draft: id, ...changeFilters[filter] },
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
          onEscape={() => navigate({ item: DRAFTS_ITEM })}
          empty={
            <EmptyState icon={ListFilter} title={text.noChanges}>
              {text.filters[filter]}
            </EmptyState>
          }
        />
        <StatusBar grid={grid} singular={text.changeOne} />
      </div>
    </div>
  );
}

const columns: readonly GridColumn<AllocationChange>[] = [
  {
    id: 'outcome',
    title: titles.outcome,
    width: 140,
    cell: (row) => <AllocationChangeStatus change={row} />,
    copy: (row) => ({ text: row.problem ? text.problems[row.problem] : text.outcomes[row.outcome] }),
  },
  idColumn(
    { id: 'line', title: titles.line, width: 52, alignEnd: true },
    (row) => row.line ?? row.ordinal + 1,
  ),
  idColumn({ id: 'subscription', title: titles.subscription, width: 104 }, (row) => row.subscription_id),
  {
    id: 'component',
    title: titles.component,
    width: 112,
    cell: (row) => row.component_name ?? row.component_id ?? <NoValue />,
    copy: (row) => ({ exact: String(row.component_id ?? '') }),
  },
  quantityColumn({ id: 'now', title: titles.now, width: 62 }, (row) => row.current_quantity),
  quantityColumn(
    { id: 'quantity', title: titles.quantity, width: 62, tone: 'strong' },
    (row) => row.quantity,
  ),
  textColumn(
    { id: 'direction', title: titles.direction, width: 96 },
    (row) => row.direction && text.directions[row.direction],
  ),
  textColumn({ id: 'scheme', title: titles.scheme, width: 152, tone: 'quiet' }, formatScheme),
  textColumn({ id: 'reason', title: titles.reason, width: 200, fillsSpace: true }, formatReason),
  textColumn(
    { id: 'customer', title: titles.customer, width: 150, isHiddenByDefault: true },
    (row) => row.customer_name,
  ),
  textColumn({ id: 'memo', title: titles.memo, width: 150, isHiddenByDefault: true }, (row) => row.memo),
];

function formatScheme({ direction, scheme, scheme_seen }: AllocationChange): string {
  return direction === null || direction === 'none' ? '' : (scheme ?? text.siteDefaultScheme(scheme_seen));
}

/**
 * Formats the reason why a change is excluded, was not applied, or is undecided. The service's own message takes
 * precedence.
 */
function formatReason({ problem_text, error, evidence, outcome }: AllocationChange): string | null {
  if (problem_text !== null) return problem_text;
  if (error !== null) return error.errors?.join(' ') ?? error.message;
  return outcome === 'undecided' || outcome === 'looking' ? (evidence?.verdict ?? null) : null;
}
