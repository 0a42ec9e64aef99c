import { Repeat2 } from 'lucide-react';
import { useEffect, useState } from 'react';
import type { ReplayPlan } from '../../contract/index.ts';
import { useAction, useClient, useQuery } from '../backend/hooks.ts';
import { useCommandContext } from '../commands/useCommands.tsx';
import { Button } from '../controls/Button.tsx';
import { Radios, Toggle } from '../controls/Field.tsx';
import { Dialog } from '../controls/Overlay.tsx';
import { Empty, Skeleton } from '../controls/Pieces.tsx';
import { ErrorNote } from '../errors/ErrorNote.tsx';
import { choose, useChosen } from '../settings/chosen.ts';
import { closeDialog, type ReplaySelection, say } from '../view/view.ts';
import { words } from '../words/words.ts';
import { PlanView } from './PlanView.tsx';
import { ReplayActions, ReplayProgress } from './ReplayProgress.tsx';
import './replay.css';

interface ReplaySheetProps {
  readonly site: string;
  readonly selection: ReplaySelection;
}

/** From a selection to a plan, by one confirmation to its run, and what became of each webhook. */
export function ReplaySheet({ site, selection }: ReplaySheetProps) {
  const client = useClient();
  const { data: here } = useQuery('sites.get', { site });
  const { away } = useCommandContext();
  const [includeAccepted, setIncludeAccepted] = useState(false);
  const mode = useChosen((chosen) => chosen['replay.mode']);
  const planning = usePlan(site, selection, includeAccepted);
  const plan = planning.done;
  const running = useAction((of: ReplayPlan) => client.replay.run({ site, plan: of.plan, mode }));
  const title = here?.title ?? site;

  if (running.done) return <RunningSheet site={site} job={running.done.job} />;

  const confirm = () => {
    if (plan) void running.run(plan).then((job) => job && say(words.replay.states.running));
  };
  return (
    <Dialog
      title={words.replay.planTitle}
      size="wide"
      onClose={closeDialog}
      footer={
        <>
          <Button onPress={closeDialog}>{words.replay.cancel}</Button>
          {plan && plan.count > 0 && (
            <Button kind="primary" icon={Repeat2} onPress={confirm} pending={running.running} reason={away}>
              {words.replay.confirm(plan.count, title)}
            </Button>
          )}
        </>
      }
    >
      {planning.error && <ErrorNote error={planning.error} onRetry={planning.again} />}
      {running.error && <ErrorNote error={running.error} onRetry={confirm} site={site} />}
      {!plan && !planning.error && <Skeleton lines={8} />}
      {plan &&
        (plan.count > 0 ? (
          <PlanView plan={plan} title={title} />
        ) : (
          <Empty icon={Repeat2} title={words.replay.noneTitle}>
            {words.replay.none}
          </Empty>
        ))}
      {plan && !('plan' in selection) && (plan.left_out.accepted > 0 || includeAccepted) && (
        <Toggle on={includeAccepted} onChange={setIncludeAccepted} disabled={planning.running}>
          {words.replay.includeAccepted}
        </Toggle>
      )}
      {plan && plan.count > 1 && (
        <Radios
          label={words.replay.pace}
          value={mode}
          onChange={(chosen) => choose('replay.mode', chosen)}
          options={(['adaptive', 'safe', 'fast'] as const).map((value) => ({
            value,
            ...words.replay.modes[value],
          }))}
        />
      )}
    </Dialog>
  );
}

/** Makes the plan when the sheet opens, and anew when the choice changes. It reads the local log alone. */
function usePlan(site: string, selection: ReplaySheetProps['selection'], includeAccepted: boolean) {
  const client = useClient();
  const made = 'plan' in selection ? selection.plan : null;
  const action = useAction(async (accepted: boolean) =>
    'plan' in selection
      ? selection.plan
      : client.replay.plan({ site, selection, include_accepted: accepted }),
  );
  const { run } = action;
  useEffect(() => {
    if (!made) void run(includeAccepted);
  }, [made, run, includeAccepted]);
  return { ...action, done: made ?? action.done, again: () => void run(includeAccepted) };
}

function RunningSheet({ site, job }: { readonly site: string; readonly job: string }) {
  const { data: replay, error } = useQuery('replay.get', { site, job });
  return (
    <Dialog
      title={words.replay.running}
      size="wide"
      onClose={closeDialog}
      footer={
        <>
          <span className="fineprint push">{replay?.ended_at === null && words.replay.keepsRunning}</span>
          {replay && <ReplayActions site={site} replay={replay} />}
          <Button kind="primary" onPress={closeDialog}>
            {words.replay.close}
          </Button>
        </>
      }
    >
      {error && <ErrorNote error={error} />}
      {replay && <ReplayProgress site={site} replay={replay} />}
    </Dialog>
  );
}
