import { Repeat2, WifiOff } from 'lucide-react';
import { type ComponentProps, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react';
import type { ContractInputs, ReplayPlan } from '../../contract/index.ts';
import { useAction, useContractClient, useQuery } from '../backend-client/backend-hooks.ts';
import { useCommandContext } from '../commands/use-command-context.ts';
import { Button } from '../controls/button.tsx';
import { Dialog } from '../controls/dialog.tsx';
import { EmptyState } from '../controls/empty-state.tsx';
import { Link } from '../controls/link.tsx';
import { Skeleton } from '../controls/skeleton.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import {
  announceToScreenReader,
  closeDialog,
  navigate,
  type ReplaySelection,
} from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { DeliveryTargetForm } from './delivery-target-form.tsx';
import { ExcludedWebhookList } from './excluded-webhook-list.tsx';
import { useOpenReplay } from './open-replay.ts';
import { parseReplayRate, type ReplayOptions, ReplayOptionsForm } from './replay-options-form.tsx';
import { ReplayPlanView } from './replay-plan-view.tsx';
import './replay.css';

const text = texts.replay;

interface ReplayPlanDialogProps {
  readonly site: string;
  readonly selection: ReplaySelection;
}

/** Dialog that plans a replay of the selected webhooks and starts it after confirmation. */
export function ReplayPlanDialog({ site, selection }: ReplayPlanDialogProps) {
  const client = useContractClient();
  const { data: siteData } = useQuery('sites.get', { site });
  const [includeAccepted, setIncludeAccepted] = useState(false);
  const [endpoint, setEndpoint] = useState<string | null>(null);
  const [options, setOptions] = useState<ReplayOptions>({
    mode: 'adaptive',
    rate: '',
    ordered: false,
    reason: '',
  });
  const isClosed = useRef(false);
  useEffect(
    () => () => {
      isClosed.current = true;
    },
    [],
  );
  const planning = useReplayPlan({ site, selection, includeAccepted, endpoint, isClosed });
  const plan = planning.done;
  const starting = useAction((plan: ReplayPlan) =>
    client.replay.run({ site, plan: plan.plan, ...toRunInput(options), ...toConfirmation(plan) }),
  );
  const title = siteData?.title ?? site;
  const isSavedPlan = 'plan' in selection;

  const confirm = async () => {
    if (!plan) return;
    const replay = await starting.run(plan);
    // Does not navigate if the user closed the dialog in the meantime.
    if (!replay || isClosed.current) return;
    announceToScreenReader(text.states.running);
    showReplay(replay.job);
  };
  const discard = async () => {
    closeDialog();
    if (plan && plan.job === null && !starting.running) {
      await client.replay.discardPlan({ site, plan: plan.plan });
    }
  };
  return (
    <Dialog
      title={text.planTitle}
      size="large"
      onClose={() => (isSavedPlan ? closeDialog() : void discard())}
      footer={
        <PlanFooter
          plan={plan}
          siteTitle={title}
          discardLabel={isSavedPlan ? text.discard : texts.controls.cancel}
          hasValidRate={parseReplayRate(options.rate) !== null}
          isStarting={starting.running}
          onDiscard={() => void discard()}
          onConfirm={() => void confirm()}
        />
      }
    >
      {planning.error && <ErrorMessage error={planning.error} onRetry={planning.retry} />}
      {starting.error && <ErrorMessage error={starting.error} onRetry={() => void confirm()} site={site} />}
      {!isSavedPlan && (plan || planning.error) && (
        <DeliveryTargetForm
          site={site}
          endpoint={endpoint}
          isPlanning={planning.running}
          onChoose={setEndpoint}
        />
      )}
      {!plan && !planning.error && <Skeleton lines={14} />}
      {plan && plan.job !== null && <FinishedPlanNotice job={plan.job} />}
      {plan && (
        <PlanContents
          site={site}
          siteTitle={title}
          plan={plan}
          acceptedChoice={
            isSavedPlan
              ? null
              : { included: includeAccepted, onInclude: setIncludeAccepted, pending: planning.running }
          }
        >
          <ReplayOptionsForm plan={plan} options={options} onChange={setOptions} />
        </PlanContents>
      )}
    </Dialog>
  );
}

function showReplay(job: string): void {
  closeDialog();
  navigate({ screen: 'replays', item: job });
}

function FinishedPlanNotice({ job }: { readonly job: string }) {
  return (
    <p className="callout callout-warn">
      {text.alreadyRun} <Link onPress={() => showReplay(job)}>{text.openItsReplay}</Link>
    </p>
  );
}

interface PlanContentsProps {
  readonly site: string;
  readonly siteTitle: string;
  readonly plan: ReplayPlan;
  readonly acceptedChoice: ComponentProps<typeof ExcludedWebhookList>['accepted'];
  /** Form for the replay options. */
  readonly children: ReactNode;
}

function PlanContents({ site, siteTitle, plan, acceptedChoice, children }: PlanContentsProps) {
  const isEmpty = plan.count === 0;
  return (
    <div className={isEmpty ? 'plan plan-none' : 'plan'}>
      <div className="plan-contents">
        {!isEmpty && (
          <p className="plan-lead">
            {plan.endpoint === null
              ? text.lead(plan.count, siteTitle)
              : text.delivery.lead(plan.count, toHost(plan.endpoint))}
          </p>
        )}
        <ExcludedWebhookList plan={plan} accepted={acceptedChoice} />
        {isEmpty ? (
          <EmptyState icon={Repeat2} title={text.noneTitle} text={text.none} />
        ) : (
          <ReplayPlanView site={site} plan={plan} />
        )}
      </div>
      {!isEmpty && children}
    </div>
  );
}

interface PlanFooterProps {
  readonly plan: ReplayPlan | null;
  readonly siteTitle: string;
  readonly discardLabel: string;
  readonly hasValidRate: boolean;
  readonly isStarting: boolean;
  readonly onDiscard: () => void;
  readonly onConfirm: () => void;
}

function PlanFooter({ plan, siteTitle, discardLabel, hasValidRate, ...footer }: PlanFooterProps) {
  const context = useCommandContext();
  const isLocal = typeof plan?.endpoint === 'string';
  // A local delivery does not use the service, so it also works while the service is unavailable.
  const unavailableReason = isLocal ? null : context.unavailableReason;
  const activeReplay = useOpenReplay((state) => state.activeJob);
  const sendable = plan !== null && plan.count > 0 && plan.job === null ? plan : null;
  return (
    <>
      {unavailableReason ? (
        <p className="plan-offline push" role="status">
          <WifiOff size={14} aria-hidden="true" />
          {text.cannotSend} {unavailableReason}
        </p>
      ) : (
        <span className="fineprint push">{sendable && text.frozen}</span>
      )}
      {sendable && <Button onPress={closeDialog}>{text.savePlan}</Button>}
      <Button onPress={footer.onDiscard}>{discardLabel}</Button>
      {sendable && (
        <Button
          kind="primary"
          icon={Repeat2}
          onPress={footer.onConfirm}
          isPending={footer.isStarting}
          disabledReason={
            unavailableReason ??
            (activeReplay !== null ? text.oneAtATime : hasValidRate ? null : text.rateWrong)
          }
        >
          {sendable.endpoint === null
            ? text.confirm(sendable.count, siteTitle)
            : text.delivery.confirm(sendable.count, toHost(sendable.endpoint))}
        </Button>
      )}
    </>
  );
}

const toHost = (endpoint: string): string => new URL(endpoint).host;

/** Returns the confirmation that the backend requires for a local delivery: its host and number of webhooks. */
function toConfirmation({ endpoint, count }: ReplayPlan): Pick<RunInput, 'confirm'> {
  return endpoint === null ? {} : { confirm: { host: toHost(endpoint), count } };
}

type RunInput = Omit<ContractInputs['replay']['run'], 'site' | 'plan'>;

function toRunInput({ mode, rate: rateText, ordered, reason: reasonText }: ReplayOptions): RunInput {
  const rate = parseReplayRate(rateText);
  const reason = reasonText.trim();
  return {
    mode,
    ...(ordered ? { ordered } : {}),
    ...(rate ? { rate } : {}),
    ...(reason === '' ? {} : { reason }),
  };
}

interface ReplayPlanQuery extends ReplayPlanDialogProps {
  readonly includeAccepted: boolean;
  readonly endpoint: string | null;
  readonly isClosed: RefObject<boolean>;
}

/** Creates the plan from the local webhook log, and replaces it when the user changes the selection. */
function useReplayPlan({ site, selection, includeAccepted, endpoint, isClosed }: ReplayPlanQuery) {
  const client = useContractClient();
  const savedPlan = 'plan' in selection ? selection.plan : null;
  const currentPlan = useRef<string | null>(null);
  const action = useAction(async (include_accepted: boolean, endpoint: string | null) => {
    if ('plan' in selection) return selection.plan;
    const target = endpoint === null ? {} : { endpoint };
    const plan = await client.replay.plan({ site, selection, include_accepted, ...target });
    // Discards the replaced plan, or the new plan if the dialog was closed in the meantime.
    const unusedPlan = isClosed.current ? plan.plan : currentPlan.current;
    if (unusedPlan !== null) await client.replay.discardPlan({ site, plan: unusedPlan });
    currentPlan.current = plan.plan;
    return plan;
  });
  const { run } = action;
  useEffect(() => {
    if (!savedPlan) void run(includeAccepted, endpoint);
  }, [savedPlan, run, includeAccepted, endpoint]);
  return { ...action, done: savedPlan ?? action.done, retry: () => void run(includeAccepted, endpoint) };
}
