import { Layers, TriangleAlert } from 'lucide-react';
import { useMemo } from 'react';
import type { AllocationDetail, Site, SubscriptionComponent } from '../../contract/index.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { EmptyState } from '../controls/empty-state.tsx';
import { MissingValue } from '../controls/formatted-values.tsx';
import { Link } from '../controls/link.tsx';
import type { MenuEntry } from '../controls/menu.tsx';
import { Panel } from '../controls/panel.tsx';
import { StatusLabel } from '../controls/status-label.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import type { GridColumn } from '../grid/columns/column-layout.ts';
import { createColumnFactories } from '../grid/columns/value-columns.tsx';
import { usePagedList } from '../grid/lists/use-paged-list.ts';
import { StatusBar } from '../grid/summary/status-bar.tsx';
import { GridView } from '../grid/view/grid-view.tsx';
import { DetailPane } from '../layout/screen-layout.tsx';
import { navigate, openDialog, openFilteredList } from '../navigation/window-state.ts';
import { StepPlot } from '../plots/step-plot.tsx';
import { formatAmount } from '../texts/money.ts';
import { formatQuantity } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';
import { AllocationHistoryStatus } from './allocation-status.tsx';
import { getQuantityDifference, toQuantitySteps } from './quantity-steps.ts';
import './allocations.css';

const text = texts.allocations;
/** Maximum number of allocations in the quantity chart, chosen by judgment. */
const MAX_STEPS = 1000;

interface SubscriptionComponentDetailProps {
  readonly site: Site;
  readonly component: Pick<SubscriptionComponent, 'subscription_id' | 'component_id'>;
}

/** Shows the details of a subscription component: quantity chart and allocation history. */
export function SubscriptionComponentDetail({ site, component }: SubscriptionComponentDetailProps) {
  const { subscription_id, component_id } = component;
  const filter = { subscription_id, component_id };
  const { data: page } = useQuery('allocations.components', { site: site.site, filter, limit: 1 });
  const known = page?.rows[0];
  const { data: history, error } = useQuery('allocations.list', {
    site: site.site,
    ...component,
    limit: MAX_STEPS,
  });
  const steps = useMemo(() => toQuantitySteps(history?.rows ?? []), [history]);
  return (
    <DetailPane
      label={text.detail(subscription_id, component_id)}
      head={
        <>
          <h2>{known?.component_name ?? text.unnamed(component_id)}</h2>
          <p>
            {known && known.state !== 'complete' && <AllocationHistoryStatus status={known.state} pill />}
            {known?.customer_name && <span>{known.customer_name}</span>}
            <Link
              label={text.showStatements}
              onPress={() => openFilteredList('statements', { subscription_id })}
            >
              {`${text.columns.subscription} ${subscription_id}`}
            </Link>
          </p>
        </>
      }
      actions={
        <>
          <CommandButton id="allocations.change" />
          <CommandButton id="view.closeDetail" kind="quiet" iconOnly />
        </>
      }
    >
      {error && <ErrorMessage error={error} />}
      {history && steps.length === 0 && (
        <EmptyState
          icon={Layers}
          title={text.noHistory}
          text={known?.state === 'missing' ? text.missingText : text.waitingText}
        />
      )}
      {steps.length > 0 && (
        <>
          <div className="component-plot">
            <Panel
              title={text.plot}
              aside={
                <span className="component-quantity">
                  {text.quantityNow}{' '}
                  <b>{known?.quantity == null ? <MissingValue /> : formatQuantity(known.quantity)}</b>
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
          <AllocationHistory site={site} component={component} />
        </>
      )}
    </DetailPane>
  );
}

const titles = text.historyColumns;
const column = createColumnFactories(titles);
const columns: readonly GridColumn<AllocationDetail>[] = [
  column.dateTime('at', 158, 'timestamp'),
  column.quantity('quantity', 84, 'quantity', { tone: 'strong' }),
  {
    ...column.head('change', 84, { alignEnd: true }),
    cell: (row) => <QuantityChange allocation={row} />,
    copy: (row) => ({ exact: String(getQuantityDifference(row)) }),
  },
  {
    ...column.head('relatedRecords', 160),
    id: 'belongs',
    cell: (row) => <RelatedRecords allocation={row} />,
    copy: (row) => ({ text: row.transactions.map(({ id }) => id).join(' ') }),
  },
  {
    ...column.head('memo', 150, { fillsSpace: true }),
    cell: (row) =>
      row.chained === false ? (
        <span className="memo-gap">
          <StatusLabel tone="warn" icon={TriangleAlert} text={text.gap} />
          <span title={text.historyGap}>{row.memo ?? text.historyGap}</span>
        </span>
      ) : (
        (row.memo ?? <MissingValue />)
      ),
    copy: (row) => ({ text: row.memo ?? '' }),
  },
  column.quantity('from', 84, 'previous_quantity', { startsHidden: true }),
  schemeColumn('upgrade', 170),
  schemeColumn('downgrade', 130),
];

/** Creates a column with the service's name for a proration scheme. The tooltip shows its meaning. */
function schemeColumn(direction: 'upgrade' | 'downgrade', width: number): GridColumn<AllocationDetail> {
  const schemeOf = (row: AllocationDetail) => row[`proration_${direction}_scheme`];
  return {
    ...column.head(direction, width, { startsHidden: true }),
    cell: (row) => {
      const scheme = schemeOf(row);
      if (scheme === null) return <MissingValue />;
      return <span title={texts.changes.schemeMeaning(direction, scheme) ?? scheme}>{scheme}</span>;
    },
    copy: (row) => ({ text: schemeOf(row) ?? '' }),
  };
}

function QuantityChange({ allocation }: { readonly allocation: AllocationDetail }) {
  const { direction } = allocation;
  if (direction === 'none') return <MissingValue />;
  return (
    <span title={texts.changes.directions[direction]}>
      <span aria-hidden="true">{direction === 'upgrade' ? '▲' : '▼'} </span>
      {direction === 'upgrade' ? '+' : ''}
      {formatQuantity(getQuantityDifference(allocation))}
      <span className="visually-hidden">, {texts.changes.directions[direction]}</span>
    </span>
  );
}

/** Shows the first related charge or credit of an allocation, and the delivery state of its webhook. */
function RelatedRecords({ allocation }: { readonly allocation: AllocationDetail }) {
  const { webhook, transactions } = allocation;
  const [first, ...more] = transactions;
  if (!webhook && !first) return <MissingValue />;
  return (
    <span className="grid-quiet">
      {[
        first && `${formatAmount(first.amount_in_cents)}${more.length > 0 ? ` +${more.length}` : ''}`,
        webhook && text.webhook(texts.webhooks.delivery[webhook.delivery]),
      ]
        .filter(Boolean)
        .join(', ')}
    </span>
  );
}

/** Allocations have no id. The timestamp and the ordinal within that second identify one in its history. */
const idOf = (row: AllocationDetail) => `${row.timestamp} ${row.ordinal}`;

function AllocationHistory({ site, component }: SubscriptionComponentDetailProps) {
  const grid = usePagedList({
    name: 'allocationHistory',
    procedure: 'allocations.list',
    query: { site: site.site, ...component },
    idOf,
  });
  return (
    <div className="component-history">
      <GridView
        name="allocationHistory"
        label={text.historyGrid}
        grid={grid}
        columns={columns}
        onOpen={(row) => openDialog({ kind: 'allocation', allocation: row })}
        menu={allocationMenu}
        empty={null}
      />
      <StatusBar grid={grid} singular="allocation" />
    </div>
  );
}

function allocationMenu(row: AllocationDetail): readonly MenuEntry[] {
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
            label: texts.changes.webhookLink(webhook.id),
            run: () => navigate({ screen: 'webhooks', item: String(webhook.id) }),
          },
        ]
      : []),
    ...transactions.map(({ id, statement_id }) => ({
      id: `transaction-${id}`,
      label: texts.changes.statementLink(statement_id),
      run: () => navigate({ screen: 'statements', item: String(statement_id) }),
    })),
  ];
}
