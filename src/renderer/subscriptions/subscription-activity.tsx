import { useMemo } from 'react';
import type { Outputs, Site, SubscriptionRow } from '../../contract/index.ts';
import { useQuery } from '../backend-client/backend-hooks.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { Link } from '../controls/link.tsx';
import { Tabs } from '../controls/tabs.tsx';
import { Money } from '../controls/values.tsx';
import { DetailPlaceholder } from '../layout/detail-placeholder.tsx';
import { DetailPane } from '../layout/screen.tsx';
import { openFilteredScreen, selectTab, useWindowState } from '../navigation/window-state.ts';
import { StepPlot, type ValueStep } from '../plots/step-plot.tsx';
import { parseInstant } from '../texts/moments.ts';
import { formatCount } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';
import { ActivityGrid } from './activity-grid.tsx';
import '../statements/statements.css';
import './activity.css';

const text = texts.activity;

type Figures = NonNullable<Outputs['subscriptions']['activity']['figures']>;

interface ActivityProps {
  readonly site: Site;
  readonly subscription: number;
}

/** Shows one subscription with its figures, charts, and activity. */
export function SubscriptionActivity({ site, subscription: subscription_id }: ActivityProps) {
  const { data, error, loading } = useQuery('subscriptions.activity', {
    site: site.site,
    subscription_id,
    limit: 1,
  });
  const figures = data?.figures;
  const actions = (
    <>
      <CommandButton id="view.expand" kind="quiet" iconOnly />
      <CommandButton id="view.closeDetail" kind="quiet" iconOnly />
    </>
  );
  if (!figures || (error && !loading)) {
    return (
      <DetailPlaceholder
        title={text.detail(subscription_id)}
        actions={actions}
        error={error}
        notFoundText={text.notStored}
      />
    );
  }
  return (
    <DetailPane
      label={text.detail(subscription_id)}
      actions={actions}
      head={
        <>
          <h2>{figures.subscription.customer_name ?? text.detail(subscription_id)}</h2>
          <SubscriptionLinks subscription={figures.subscription} />
        </>
      }
    >
      <FiguresRow figures={figures} currency={site.currency} />
      <Plots figures={figures} currency={site.currency} />
      <ActivityGrid site={site} subscription={subscription_id} counts={figures.counts} />
    </DetailPane>
  );
}

function SubscriptionLinks({ subscription }: { readonly subscription: SubscriptionRow }) {
  const { subscription_id, customer_organization } = subscription;
  return (
    <p>
      <span>{text.detail(subscription_id)}</span>
      {customer_organization && <span>{customer_organization}</span>}
      <Link onPress={() => openFilteredScreen('statements', { subscription_id })}>{text.showStatements}</Link>
      <Link onPress={() => openFilteredScreen('webhooks', { subscription_id })}>{text.showWebhooks}</Link>
      <Link onPress={() => openFilteredScreen('allocations', { subscription_id })}>
        {text.showAllocations}
      </Link>
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
        show={() => openFilteredScreen('exceptions', { status: ['open'], subscription_id })}
      />
      <CountFigure
        name={text.notAccepted}
        count={not_accepted}
        show={() => openFilteredScreen('webhooks', { status: 'failed', subscription_id })}
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
  const balance = useMemo(
    () => figures.balance.flatMap(({ at, balance_in_cents }) => toValueStep(at, balance_in_cents)),
    [figures.balance],
  );
  const components = useMemo(
    () =>
      figures.components.map(({ component_id, component_name, steps }) => ({
        id: String(component_id),
        title: component_name ?? text.component(component_id),
        steps: steps.flatMap(({ at, quantity }) => toValueStep(at, Number(quantity))),
      })),
    [figures.components],
  );
  const until = useMemo(() => {
    const lastTimes = [balance, ...components.map(({ steps }) => steps)].map(
      (steps) => steps.at(-1)?.at ?? 0,
    );
    return Math.max(Date.now(), ...lastTimes);
  }, [balance, components]);
  const plotted = components.filter(({ steps }) => steps.length > 0);
  if (balance.length === 0 && plotted.length === 0) return null;
  const tabs = [
    ...(balance.length > 0
      ? [
          {
            id: 'balance',
            title: text.balancePlot,
            body: () => (
              <StepPlot
                label={text.balanceText(balance.length)}
                steps={balance}
                until={until}
                height={PLOT_HEIGHT_PX}
                currency={currency}
              />
            ),
          },
        ]
      : []),
    ...plotted.map(({ id, title, steps }) => ({
      id,
      title,
      body: () => (
        <StepPlot
          label={text.quantityText(title, steps.length)}
          steps={steps}
          until={until}
          height={PLOT_HEIGHT_PX}
        />
      ),
    })),
  ];
  const chosen = tabs.find(({ id }) => id === chosenId)?.id ?? tabs[0]?.id ?? '';
  return (
    <div className="activity-plots">
      <Tabs label={text.plots} chosen={chosen} onChoose={(id) => selectTab('activity', id)} tabs={tabs} />
    </div>
  );
}

function toValueStep(at: string, value: number): ValueStep[] {
  const ms = parseInstant(at);
  return ms === null ? [] : [{ at: ms, value }];
}
