import { CircleCheckBig } from 'lucide-react';
import type { ContractOutputs, Outage } from '../../contract/index.ts';
import { Button } from '../controls/button.tsx';
import { EmptyState } from '../controls/empty-state.tsx';
import { MissingValue } from '../controls/formatted-values.tsx';
import type { GridColumn } from '../grid/columns/column-layout.ts';
import { createColumnFactories } from '../grid/columns/value-columns.tsx';
import { type CompleteList, useCompleteList } from '../grid/lists/use-complete-list.ts';
import { useDetailSync } from '../grid/lists/use-detail-sync.ts';
import type { GridController } from '../grid/state/grid-controller.ts';
import { StatusBar } from '../grid/summary/status-bar.tsx';
import { GridView } from '../grid/view/grid-view.tsx';
import { navigate, useWindowState } from '../navigation/window-state.ts';
import { formatCount, formatDuration } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';
import { formatErrorGroup } from '../texts/webhooks.ts';
import { OutageKindBadge } from './outage-kind-badge.tsx';
import { countNotAcceptedWebhooks, getOutageRange } from './outage-ranges.ts';

const text = texts.outages;
const column = createColumnFactories(text.columns);

const columns: readonly GridColumn<Outage>[] = [
  column.badge('kind', 144, 'kind', OutageKindBadge),
  column.dateTime('from', 158, 'from', { isPlain: true }),
  column.dateTime('to', 154, 'to', { isPlain: true, startsHidden: true }),
  {
    ...column.head('lasted', 98),
    cell: (row) => (
      <span className="grid-quiet">{row.ongoing ? text.ongoing : formatOutageDuration(row)}</span>
    ),
    copy: (row) => ({ text: formatOutageDuration(row) }),
  },
  {
    ...column.head('missed', 112),
    alignEnd: true,
    cell: (row) =>
      row.kind === 'gap' ? (
        <MissingValue />
      ) : (
        <span className="grid-strong">{formatCount(countNotAcceptedWebhooks(row))}</span>
      ),
    copy: (row) => ({ exact: String(countNotAcceptedWebhooks(row)) }),
  },
  column.count('accepted', 88, 'accepted', { startsHidden: true }),
  {
    ...column.head('error', 130),
    fillsSpace: true,
    cell: (row) =>
      row.error === null ? <MissingValue /> : <span title={row.error}>{formatErrorGroup(row.error)}</span>,
    copy: (row) => ({ text: row.error ?? '' }),
  },
  column.text('url', 200, 'url', { startsHidden: true }),
];

function formatOutageDuration(outage: Outage): string {
  const { from, to } = getOutageRange(outage);
  return formatDuration(to - from);
}

const idOf = (row: Outage) => row.id;

type OutagePage = ContractOutputs['webhooks']['outages'];
const rowsOf = ({ outages }: OutagePage) => outages;
const isComplete = ({ more }: OutagePage) => more === 0;

/** Number of outages listed initially and after clicking “Show more”. Chosen by judgment. */
export const OUTAGE_LIST_LIMITS = { initial: 100, max: 500 };

type OutageGrid = GridController<Outage, CompleteList<Outage, OutagePage>>;

/** Loads the outages, newest first. The list and the timeline share the result. */
export function useOutages(site: string, limit: number): OutageGrid {
  return useCompleteList({
    name: 'outages',
    procedure: 'webhooks.outages',
    query: { site },
    limit,
    rowsOf,
    isComplete,
    idOf,
  });
}

interface OutageListProps {
  readonly grid: OutageGrid;
  /** Maximum number of outages to request. */
  readonly limit: number;
  /** Number of outages beyond the limit. */
  readonly more: number;
  readonly onMore: () => void;
  readonly onOpen: (outage: Outage) => void;
}

/** Lists the outages, newest first. The active row is also selected on the timeline. */
export function OutageList({ grid, limit, more, onMore, onOpen }: OutageListProps) {
  const item = useWindowState((state) => state.route.item);
  useDetailSync(grid, true, idOf, { immediate: true });
  return (
    <>
      <GridView
        name="outages"
        label={text.grid}
        grid={grid}
        columns={columns}
        isSelectable={false}
        onOpen={onOpen}
        onEscape={() => item !== null && navigate({ item: null }, true)}
        empty={<EmptyState icon={CircleCheckBig} title={text.noneTitle} text={text.none} />}
      />
      <StatusBar grid={grid} singular="outage">
        {more > 0 && (
          <>
            <span>{text.more(more)}</span>
            {limit < OUTAGE_LIST_LIMITS.max ? (
              <Button kind="quiet" size="small" onPress={onMore}>
                {text.listMore}
              </Button>
            ) : (
              <span>{text.selectInChart}</span>
            )}
          </>
        )}
      </StatusBar>
    </>
  );
}
