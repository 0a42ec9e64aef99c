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
  const planning = useReplayPlan({ site, selection, includeAccepted, isClosed });
  const plan = planning.done;
  const starting = useAction(({ plan }: ReplayPlan) =>
    client.replay.run({ site, plan, ...toRunInput(options) }),
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
        {!isEmpty && <p className="plan-lead">{text.lead(plan.count, siteTitle)}</p>}
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
  const { unavailableReason } = useCommandContext();
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
          {text.confirm(sendable.count, siteTitle)}
        </Button>
      )}
    </>
  );
}

type RunInput = Omit<ContractInputs['replay']['run'], 'site' | 'plan'>;

function toRunInput({ mode, rate: rateText, ordered, reason: reasonText }: ReplayOptions): RunInput {
  const rate = parseReplayRate(rateText);
  const reason = reasonText.trim();
  return { mode, ordered, ...(rate ? { rate } : {}), ...(reason === '' ? {} : { reason }) };
}

interface ReplayPlanQuery extends ReplayPlanDialogProps {
  readonly includeAccepted: boolean;
  readonly isClosed: RefObject<boolean>;
}

/** Creates the plan from the local webhook log, and replaces it when the user changes the selection. */
function useReplayPlan({ site, selection, includeAccepted, isClosed }: ReplayPlanQuery) {
  const client = useContractClient();
  const savedPlan = 'plan' in selection ? selection.plan : null;
  const currentPlan = useRef<string | null>(null);
  const action = useAction(async (include_accepted: boolean) => {
    if ('plan' in selection) return selection.plan;
    const plan = await client.replay.plan({ site, selection, include_accepted });
    // Discards the replaced plan, or the new plan if the dialog was closed in the meantime.
    const unusedPlan = isClosed.current ? plan.plan : currentPlan.current;
    if (unusedPlan !== null) await client.replay.discardPlan({ site, plan: unusedPlan });
    currentPlan.current = plan.plan;
    return plan;
  });
  const { run } = action;
  useEffect(() => {
    if (!savedPlan) void run(includeAccepted);
  }, [savedPlan, run, includeAccepted]);
  return { ...action, done: savedPlan ?? action.done, retry: () => void run(includeAccepted) };
}
