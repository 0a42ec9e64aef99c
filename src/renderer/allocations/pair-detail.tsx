import { Layers, TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import type { AllocationEntry, AllocationPair, Site } from '../../contract/index.ts';
import { useQuery } from '../backend/hooks.ts';
import { CommandButton } from '../commands/use-commands.tsx';
import { Link } from '../controls/link.tsx';
import type { MenuEntry } from '../controls/menu.tsx';
import { Empty, Panel } from '../controls/pieces.tsx';
import { Status } from '../controls/status.tsx';
import { Absent } from '../controls/values.tsx';
import { ErrorNote } from '../errors/error-note.tsx';
import { Detail } from '../frame/screen.tsx';
import type { Column } from '../grid/columns.ts';
import { GridView } from '../grid/grid-view.tsx';
import { useList } from '../grid/use-list.ts';
import { momentColumn, quantityColumn } from '../grid/value-columns.tsx';
import { StepPlot } from '../plots/step-plot.tsx';
import { go, openDialog, showFiltered } from '../view/view.ts';
import { amountText } from '../words/money.ts';
import { quantityText } from '../words/numbers.ts';
import { words } from '../words/words.ts';
import { PairStatus } from './pair-status.tsx';
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
      actions={
        <>
          <CommandButton id="allocations.change" />
          <CommandButton id="view.closeDetail" kind="quiet" bare />
        </>
      }
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
const columns: readonly Column<AllocationEntry>[] = [
  momentColumn({ id: 'at', title: titles.at, width: 158 }, (row) => row.timestamp),
  quantityColumn(
    { id: 'quantity', title: titles.quantity, width: 84, tone: 'strong' },
    (row) => row.quantity,
  ),
  {
    id: 'change',
    title: titles.change,
    width: 84,
    end: true,
    cell: (row) => <Change allocation={row} />,
    copy: (row) => ({ exact: String(changeOf(row)) }),
  },
  {
    id: 'belongs',
    title: titles.belongs,
    width: 160,
    cell: (row) => <Belongings allocation={row} />,
    copy: (row) => ({ text: row.transactions.map(({ id }) => id).join(' ') }),
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
  quantityColumn({ id: 'from', title: titles.from, width: 84, hidden: true }, (row) => row.previous_quantity),
  {
    id: 'upgrade',
    title: titles.upgrade,
    width: 170,
    hidden: true,
    cell: (row) => <Scheme direction="upgrade" scheme={row.proration_upgrade_scheme} />,
    copy: (row) => ({ text: row.proration_upgrade_scheme ?? '' }),
  },
  {
    id: 'downgrade',
    title: titles.downgrade,
    width: 130,
    hidden: true,
    cell: (row) => <Scheme direction="downgrade" scheme={row.proration_downgrade_scheme} />,
    copy: (row) => ({ text: row.proration_downgrade_scheme ?? '' }),
  },
];

function Change({ allocation }: { readonly allocation: AllocationEntry }) {
  const { direction } = allocation;
  if (direction === 'none') return <Absent />;
  return (
    <span
      className={direction === 'upgrade' ? 'change-up' : 'change-down'}
      title={words.changes.directions[direction]}
    >
      <span aria-hidden="true">{direction === 'upgrade' ? '▲' : '▼'} </span>
      {direction === 'upgrade' ? '+' : ''}
      {quantityText(changeOf(allocation))}
      <span className="unseen">, {words.changes.directions[direction]}</span>
    </span>
  );
}

/** A scheme as the service names it, with its meaning on hover; in words when the change is opened. */
function Scheme(props: { readonly direction: 'upgrade' | 'downgrade'; readonly scheme: string | null }) {
  const { direction, scheme } = props;
  if (scheme === null) return <Absent />;
  return <span title={words.changes.schemeMeaning(direction, scheme) ?? scheme}>{scheme}</span>;
}

/** What belongs to a change: the webhook that told of it, and its charges or credits. */
function Belongings({ allocation }: { readonly allocation: AllocationEntry }) {
  const { webhook, transactions } = allocation;
  const [first, ...more] = transactions;
  if (!webhook && !first) return <Absent />;
  return (
    <span className="grid-quiet">
      {[
        first && `${amountText(first.amount_in_cents)}${more.length > 0 ? ` +${more.length}` : ''}`,
        webhook && text.webhook(words.webhooks.delivery[webhook.delivery]),
      ]
        .filter(Boolean)
        .join(', ')}
    </span>
  );
}

/** An allocation has no id of its own: within a pair, its moment and its place among those of the same second are one. */
const idOf = (row: AllocationEntry) => `${row.timestamp} ${row.ordinal}`;

function History({ site, pair }: PairDetailProps) {
  const grid = useList({
    name: 'allocationHistory',
    list: 'allocations.list',
    selection: { site: site.site, ...pair },
    idOf,
  });
  return (
    <div className="pair-history">
      <GridView
        name="allocationHistory"
        label={text.historyGrid}
        grid={grid}
        columns={columns}
        onOpen={(row) => openDialog({ kind: 'allocation', allocation: row })}
        menu={menuOf}
        empty={null}
      />
    </div>
  );
}

function menuOf(row: AllocationEntry): readonly MenuEntry[] {
  const { webhook, transactions } = row;
  return [
    {
      id: 'open',
      label: text.openChange,
      run: () => openDialog({ kind: 'allocation', allocation: row }),
    },
    ...(webhook
      ? [
          {
            id: 'webhook',
            label: words.changes.webhookLink(webhook.id),
            run: () => go({ screen: 'webhooks', item: String(webhook.id) }),
          },
        ]
      : []),
    ...transactions.map(({ id, statement_id }) => ({
      id: `transaction-${id}`,
      label: words.changes.statementLink(statement_id),
      run: () => go({ screen: 'statements', item: String(statement_id) }),
    })),
  ];
}
