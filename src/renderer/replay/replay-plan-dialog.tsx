import { Repeat2, WifiOff } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import type { ReplayMode, ReplayPlan } from '../../contract/index.ts';
import { useAction, useContractClient, useQuery } from '../backend-client/backend-hooks.ts';
import { useCommandContext } from '../commands/use-command-context.ts';
import { Button } from '../controls/button.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { EmptyState } from '../controls/empty-state.tsx';
import { Link } from '../controls/link.tsx';
import { Skeleton } from '../controls/skeleton.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { announce, closeDialog, navigate, type ReplaySelection } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { ExcludedWebhooks } from './excluded-webhooks.tsx';
import { useOpenReplay } from './open-replay.ts';
import { parseRate, type ReplayOptions, ReplayOptionsForm } from './replay-options-form.tsx';
import { ReplayPlanView } from './replay-plan-view.tsx';
import './replay.css';

const text = texts.replay;

interface ReplayPlanDialogProps {
  readonly site: string;
  readonly selection: ReplaySelection;
}

/** From a selection to a plan, which shows exactly what will be sent, and by one confirmation to its replay. */
export function ReplayPlanDialog({ site, selection }: ReplayPlanDialogProps) {
  const client = useContractClient();
  const { data: here } = useQuery('sites.get', { site });
  const { unavailableReason } = useCommandContext();
  const live = useOpenReplay((open) => open.live);
  const [includeAccepted, setIncludeAccepted] = useState(false);
  const [orders, setOrders] = useState<ReplayOptions>({
    mode: 'adaptive',
    rate: '',
    ordered: false,
    reason: '',
  });
  const closed = useRef(false);
  useEffect(
    () => () => {
      closed.current = true;
    },
    [],
  );
  const planning = useReplayPlan(site, selection, includeAccepted, closed);
  const plan = planning.done;
  const running = useAction((of: ReplayPlan) =>
    client.replay.run({ site, plan: of.plan, ...toRunInput(orders) }),
  );
  const title = here?.title ?? site;
  const kept = 'plan' in selection;
  const sendable = plan !== null && plan.count > 0 && plan.job === null;

  const confirm = async () => {
    if (!plan) return;
    const replay = await running.run(plan);
    // Who closed the sheet meanwhile, and went elsewhere, stays there.
    if (!replay || closed.current) return;
    closeDialog();
    announce(text.states.running);
    navigate({ screen: 'replays', item: replay.job });
  };
  const discard = async () => {
    closeDialog();
    if (plan && plan.job === null && !running.running)
      await client.replay.discardPlan({ site, plan: plan.plan });
  };
  return (
    <Dialog
      title={text.planTitle}
      size="large"
      onClose={() => (kept ? closeDialog() : void discard())}
      footer={
        <>
          {unavailableReason ? (
            <p className="plan-away push" role="status">
              <WifiOff size={14} aria-hidden="true" />
              {text.notOffline} {unavailableReason}
            </p>
          ) : (
            <span className="fineprint push">{sendable && text.frozen}</span>
          )}
          {sendable && <Button onPress={closeDialog}>{text.keepPlan}</Button>}
          <Button onPress={() => void discard()}>{kept ? text.discard : texts.controls.cancel}</Button>
          {sendable && (
            <Button
              kind="primary"
              icon={Repeat2}
              onPress={() => void confirm()}
              isPending={running.running}
              disabledReason={
                unavailableReason ??
                (live !== null ? text.oneAtATime : parseRate(orders.rate) === null ? text.rateWrong : null)
              }
            >
              {text.confirm(plan.count, title)}
            </Button>
          )}
        </>
      }
    >
      {planning.error && <ErrorMessage error={planning.error} onRetry={planning.again} />}
      {running.error && <ErrorMessage error={running.error} onRetry={() => void confirm()} site={site} />}
      {!plan && !planning.error && <Skeleton lines={14} />}
      {plan && plan.job !== null && (
        <p className="callout callout-warn">
          {text.wasRun}{' '}
          <Link
            onPress={() => {
              closeDialog();
              navigate({ screen: 'replays', item: plan.job });
            }}
          >
            {text.toItsReplay}
          </Link>
        </p>
      )}
      {plan && (
        <div className={plan.count > 0 ? 'plan' : 'plan plan-none'}>
          <div className="plan-what">
            {plan.count > 0 && <p className="plan-lead">{text.lead(plan.count, title)}</p>}
            <ExcludedWebhooks
              plan={plan}
              accepted={
                'plan' in selection
                  ? null
                  : { included: includeAccepted, onInclude: setIncludeAccepted, pending: planning.running }
              }
            />
            {plan.count > 0 ? (
              <ReplayPlanView site={site} plan={plan} />
            ) : (
              <EmptyState icon={Repeat2} title={text.noneTitle}>
                {text.none}
              </EmptyState>
            )}
          </div>
          {plan.count > 0 && <ReplayOptionsForm plan={plan} orders={orders} onOrders={setOrders} />}
        </div>
      )}
    </Dialog>
  );
}

function toRunInput({ mode, rate, ordered, reason }: ReplayOptions): {
  mode: ReplayMode;
  ordered: boolean;
  rate?: number;
  reason?: string;
} {
  const most = parseRate(rate);
  const why = reason.trim();
  return { mode, ordered, ...(most ? { rate: most } : {}), ...(why === '' ? {} : { reason: why }) };
}

/** Makes the plan when the sheet opens, and anew in place of it when the choice changes. It reads the local log alone. */
function useReplayPlan(
  site: string,
  selection: ReplaySelection,
  includeAccepted: boolean,
  closed: RefObject<boolean>,
) {
  const client = useContractClient();
  const made = 'plan' in selection ? selection.plan : null;
  const last = useRef<string | null>(null);
  const action = useAction(async (accepted: boolean) => {
    if ('plan' in selection) return selection.plan;
    const plan = await client.replay.plan({ site, selection, include_accepted: accepted });
    // One that nobody waits for any more is not left behind either.
    const needless = closed.current ? plan.plan : last.current;
    if (needless !== null) await client.replay.discardPlan({ site, plan: needless });
    last.current = plan.plan;
    return plan;
  });
  const { run } = action;
  useEffect(() => {
    if (!made) void run(includeAccepted);
  }, [made, run, includeAccepted]);
  return { ...action, done: made ?? action.done, again: () => void run(includeAccepted) };
}
