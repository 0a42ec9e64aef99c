import { Layers, TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import type { Allocation, AllocationPair, Site } from '../../contract/index.ts';
import { useClient, useQuery } from '../backend/hooks.ts';
import { CommandButton } from '../commands/useCommands.tsx';
import { Link } from '../controls/Link.tsx';
import { Empty, Panel } from '../controls/Pieces.tsx';
import { Status } from '../controls/Status.tsx';
import { Absent, Moment } from '../controls/Values.tsx';
import { ErrorNote } from '../errors/ErrorNote.tsx';
import { Detail } from '../frame/Screen.tsx';
import type { Column } from '../grid/columns.ts';
import type { Page, Source } from '../grid/controller.ts';
import { GridView } from '../grid/GridView.tsx';
import { useGrid } from '../grid/useGrid.ts';
import { StepPlot } from '../plots/StepPlot.tsx';
import { showFiltered } from '../view/view.ts';
import { quantityText } from '../words/numbers.ts';
import { words } from '../words/words.ts';
import { PairStatus } from './PairStatus.tsx';
import { changeOf, stepsOf } from './steps.ts';
import './allocations.css';

const text = words.allocations;
/** Changes drawn; more would not be told apart. */
const MOST_STEPS = 1000;

interface PairDetailProps {
  readonly site: Site;
  readonly pair: Pick<AllocationPair, 'subscription_id' | 'component_id'>;
}

/** One component's history: as steps over time, and change by change. */
export function PairDetail({ site, pair }: PairDetailProps) {
  const { subscription_id, component_id } = pair;
  const filter = { subscription_id, component_id };
  const { data: found } = useQuery('allocations.pairs', { site: site.site, filter, limit: 1 });
  const known = found?.rows[0];
  const { data: history, error } = useQuery('allocations.list', {
    site: site.site,
    ...pair,
    limit: MOST_STEPS,
  });
  const steps = useMemo(() => stepsOf(history?.rows ?? []), [history]);
  return (
    <Detail
      label={text.detail(subscription_id, component_id)}
      head={
        <>
          <h2>{known?.component_name ?? text.unnamed(component_id)}</h2>
          <p>
            {known && known.state !== 'held' && <PairStatus state={known.state} pill />}
            {known?.customer_name && <span>{known.customer_name}</span>}
            <Link label={text.showStatements} onPress={() => showFiltered('statements', { subscription_id })}>
              {`${text.columns.subscription} ${subscription_id}`}
            </Link>
          </p>
        </>
      }
      actions={<CommandButton id="view.closeDetail" kind="quiet" bare />}
    >
      {error && <ErrorNote error={error} />}
      {history && steps.length === 0 && (
        <Empty icon={Layers} title={text.noHistory}>
          {known?.state === 'missing' ? text.missingText : text.waitingText}
        </Empty>
      )}
      {steps.length > 0 && (
        <>
          <div className="pair-plot">
            <Panel
              title={text.plot}
              aside={
                <span className="pair-now">
                  {text.quantityNow}{' '}
                  <b>{known?.quantity == null ? <Absent /> : quantityText(known.quantity)}</b>
                </span>
              }
            >
              <StepPlot
                label={`${text.plot}. ${history?.next === null ? text.plotText(steps.length) : text.plotPartial(steps.length)}`}
                steps={steps}
                until={Math.max(Date.now(), steps.at(-1)?.at ?? 0)}
                height={168}
              />
            </Panel>
          </div>
          <History site={site} pair={pair} />
        </>
      )}
    </Detail>
  );
}

const titles = text.historyColumns;
const columns: readonly Column<Allocation>[] = [
  {
    id: 'at',
    title: titles.at,
    width: 158,
    cell: (row) => (
      <span className="grid-quiet">
        <Moment at={row.timestamp} />
      </span>
    ),
    copy: (row) => ({ text: row.timestamp }),
  },
  {
    id: 'quantity',
    title: titles.quantity,
    width: 84,
    end: true,
    cell: (row) => <span className="grid-strong">{quantityText(row.quantity)}</span>,
    copy: (row) => ({ exact: String(row.quantity) }),
  },
  {
    id: 'change',
    title: titles.change,
    width: 84,
    end: true,
    cell: (row) => <Change allocation={row} />,
    copy: (row) => ({ exact: String(changeOf(row) ?? '') }),
  },
  {
    id: 'memo',
    title: titles.memo,
    width: 150,
    grows: true,
    cell: (row) =>
      row.chained === false ? (
        <span className="memo-gap">
          <Status tone="warn" icon={TriangleAlert}>
            {text.brokenShort}
          </Status>
          <span title={text.broken}>{row.memo ?? text.broken}</span>
        </span>
      ) : (
        (row.memo ?? <Absent />)
      ),
    copy: (row) => ({ text: row.memo ?? '' }),
  },
  {
    id: 'from',
    title: titles.from,
    width: 84,
    end: true,
    hidden: true,
    cell: (row) => quantityText(row.previous_quantity),
    copy: (row) => ({ exact: String(row.previous_quantity) }),
  },
  {
    id: 'upgrade',
    title: titles.upgrade,
    width: 170,
    hidden: true,
    cell: (row) => row.proration_upgrade_scheme ?? <Absent />,
    copy: (row) => ({ text: row.proration_upgrade_scheme ?? '' }),
  },
  {
    id: 'downgrade',
    title: titles.downgrade,
    width: 130,
    hidden: true,
    cell: (row) => row.proration_downgrade_scheme ?? <Absent />,
    copy: (row) => ({ text: row.proration_downgrade_scheme ?? '' }),
  },
];

function Change({ allocation }: { readonly allocation: Allocation }) {
  const change = changeOf(allocation);
  if (change === null || change === 0) return <Absent />;
  return (
    <span className={change > 0 ? 'change-up' : 'change-down'}>
      {change > 0 ? '+' : ''}
      {quantityText(change)}
    </span>
  );
}

/** An allocation has no id of its own: within a pair, its moment and its place among those of the same second are one. */
const idOf = (row: Allocation) => `${row.timestamp} ${row.ordinal}`;

function History({ site, pair }: PairDetailProps) {
  const client = useClient();
  const { subscription_id, component_id } = pair;
  const source = useMemo((): Source<Allocation> => {
    const of = { site: site.site, subscription_id, component_id };
    return {
      key: JSON.stringify(of),
      page: (after, limit, signal) => client.allocations.list({ ...of, limit, after }, { signal }),
    };
  }, [client, site.site, subscription_id, component_id]);
  const grid = useGrid<Allocation, Page<Allocation>>({
    name: 'allocationHistory',
    source,
    idOf,
    list: 'allocations.list',
    site: site.site,
  });
  return (
    <div className="pair-history">
      <GridView
        name="allocationHistory"
        label={text.historyGrid}
        grid={grid}
        columns={columns}
        empty={null}
      />
    </div>
  );
}
