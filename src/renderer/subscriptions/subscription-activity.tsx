import { useMemo } from 'react';
import type { ContractOutputs, Site, SubscriptionRow } from '../../contract/index.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { Money } from '../controls/formatted-values.tsx';
import { Link } from '../controls/link.tsx';
import { Tabs } from '../controls/tabs.tsx';
import { RecordPane } from '../list-screen/record-pane.tsx';
import { openFilteredList, selectTab, useWindowState } from '../navigation/window-state.ts';
import { StepPlot, type ValueStep } from '../plots/step-plot.tsx';
import { parseDateTime } from '../texts/date-times.ts';
import { formatCount } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';
import { ActivityGrid } from './activity-grid.tsx';
import '../statements/statements.css';
import './activity.css';

const text = texts.activity;

type Figures = NonNullable<ContractOutputs['subscriptions']['activity']['figures']>;

interface ActivityProps {
  readonly site: Site;
  readonly subscription: number;
}

/** Shows one subscription with its figures, charts, and activity. */
export function SubscriptionActivity({ site, subscription: subscription_id }: ActivityProps) {
  const { data, ...state } = useQuery('subscriptions.activity', {
    site: site.site,
    subscription_id,
    limit: 1,
  });
  return (
    <RecordPane
      title={text.detail(subscription_id)}
      query={{ ...state, data: data?.figures ?? undefined }}
      commands={['view.expand']}
      notFoundText={text.notStored}
      head={({ subscription }) => (
        <>
          <h2>{subscription.customer_name ?? text.detail(subscription_id)}</h2>
          <SubscriptionLinks subscription={subscription} />
        </>
      )}
    >
      {(figures) => (
        <>
          <FiguresRow figures={figures} currency={site.currency} />
          <Plots figures={figures} currency={site.currency} />
          <ActivityGrid site={site} subscription={subscription_id} counts={figures.counts} />
        </>
      )}
    </RecordPane>
  );
}

function SubscriptionLinks({ subscription }: { readonly subscription: SubscriptionRow }) {
  const { subscription_id, customer_organization } = subscription;
  return (
    <p>
      <span>{text.detail(subscription_id)}</span>
      {customer_organization && <span>{customer_organization}</span>}
      <Link onPress={() => openFilteredList('statements', { subscription_id })}>{text.showStatements}</Link>
      <Link onPress={() => openFilteredList('webhooks', { subscription_id })}>{text.showWebhooks}</Link>
      <Link onPress={() => openFilteredList('allocations', { subscription_id })}>{text.showAllocations}</Link>
    </p>
  );
}

function FiguresRow({ figures, currency }: { readonly figures: Figures; readonly currency: string }) {
  const { subscription, open_exceptions, not_accepted } = figures;
  const { subscription_id } = subscription;
  return (
    <dl className="figures" aria-label={text.figures}>
      <div className="figure">
        <dt>{text.balance}</dt>
        <dd>
          <Money cents={subscription.balance_in_cents} currency={currency} />
        </dd>
      </div>
      <div className="figure">
        <dt>{text.statements}</dt>
        <dd>
          {formatCount(subscription.statements)}
          {subscription.unpaid > 0 && <small> {text.unpaid(subscription.unpaid)}</small>}
        </dd>
      </div>
      <CountFigure
        name={text.openExceptions}
        count={open_exceptions}
        show={() => openFilteredList('exceptions', { status: ['open'], subscription_id })}
      />
      <CountFigure
        name={text.notAccepted}
        count={not_accepted}
        show={() => openFilteredList('webhooks', { status: 'failed', subscription_id })}
      />
    </dl>
  );
}

/** Shows a count, which links to its records if there are any. */
function CountFigure(props: { readonly name: string; readonly count: number; readonly show: () => void }) {
  const { name, count, show } = props;
  return (
    <div className="figure">
      <dt>{name}</dt>
      <dd>
        {count === 0 ? (
          '0'
        ) : (
          <Link label={name} onPress={show}>
            {formatCount(count)}
          </Link>
        )}
      </dd>
    </div>
  );
}

const PLOT_HEIGHT_PX = 150;

/** Shows charts of the balance owed and of each component's quantity over time. */
function Plots({ figures, currency }: { readonly figures: Figures; readonly currency: string }) {
  const chosenId = useWindowState((view) => view.tabs['activity'] ?? '');
  const plots = useMemo(() => listPlots(figures, currency), [figures, currency]);
  const until = useMemo(
    () => Math.max(Date.now(), ...plots.map(({ steps }) => steps.at(-1)?.at ?? 0)),
    [plots],
  );
  const [first] = plots;
  if (first === undefined) return null;
  const tabs = plots.map(({ id, title, ...plot }) => ({
    id,
    title,
    body: () => <StepPlot {...plot} until={until} height={PLOT_HEIGHT_PX} />,
  }));
  const chosen = tabs.find(({ id }) => id === chosenId)?.id ?? first.id;
  return (
    <div className="activity-plots">
      <Tabs label={text.plots} chosen={chosen} onChoose={(id) => selectTab('activity', id)} tabs={tabs} />
    </div>
  );
}

/** Returns the charts that have at least one value. */
function listPlots({ balance, components }: Figures, currency: string) {
  const balanceSteps = balance.flatMap(({ at, balance_in_cents }) => toValueStep(at, balance_in_cents));
  const label = text.balanceText(balanceSteps.length);
  return [
    { id: 'balance', title: text.balancePlot, label, steps: balanceSteps, currency },
    ...components.map(({ component_id, component_name, steps: quantities }) => {
      const title = component_name ?? text.component(component_id);
      const steps = quantities.flatMap(({ at, quantity }) => toValueStep(at, Number(quantity)));
      return { id: String(component_id), title, label: text.quantityText(title, steps.length), steps };
    }),
  ].filter(({ steps }) => steps.length > 0);
}

function toValueStep(at: string, value: number): ValueStep[] {
  const ms = parseDateTime(at);
  return ms === null ? [] : [{ at: ms, value }];
}
