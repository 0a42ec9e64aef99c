import { ChevronDown, FileDown, Pause, Play } from 'lucide-react';
import { useEffect, useLayoutEffect, useState } from 'react';
import type { ReplayJob, ReplayOutcome, Site } from '../../contract/index.ts';
import { useBackend, useQuery } from '../backend-client/backend-hooks.ts';
import { runCommand } from '../commands/command.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { createCommandMenuEntries, findCommand } from '../commands/command-registry.ts';
import { useCommandContext } from '../commands/use-command-context.ts';
import { Button } from '../controls/button.tsx';
import { Menu } from '../controls/menu.tsx';
import { Skeleton } from '../controls/skeleton.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { announceToScreenReader } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { useOpenReplay } from './open-replay.ts';
import { ReplayFigures } from './replay-figures.tsx';
import { ReplayOutcomeFilter } from './replay-outcome-filter.tsx';
import { canResumeReplay, countFailedWebhooks, isActiveReplay, ReplayStatus } from './replay-outcomes.ts';
import { ReplaySidebar } from './replay-sidebar.tsx';
import { ReplayStatusCard } from './replay-status-card.tsx';
import { ReplayWebhookList } from './replay-webhook-list.tsx';
import './replay-detail.css';

const text = texts.replay;

/** Shows a replay: its current status while it runs, and its report afterward. The layout is the same for both. */
export function ReplayDetail({ site, job }: { readonly site: Site; readonly job: string }) {
  const { data: replay, error } = useQuery('replay.get', { site: site.site, job });
  if (!replay || replay.job !== job) {
    return (
      <section className="replay-detail" aria-label={text.running}>
        <header className="replay-detail-head">
          <CommandButton id="replay.list" kind="quiet" iconOnly />
          <h1>{text.running}</h1>
        </header>
        <div className="replay-detail-placeholder">
          {error ? <ErrorMessage error={error} /> : <Skeleton lines={10} />}
        </div>
      </section>
    );
  }
  return <OpenReplay key={job} replay={replay} />;
}

function OpenReplay({ replay }: { readonly replay: ReplayJob }) {
  const [outcome, setOutcome] = useState<ReplayOutcome | null>(null);
  useOpenReplayEffects(replay);
  return (
    <section className="replay-detail" aria-label={text.running}>
      <header className="replay-detail-head">
        <CommandButton id="replay.list" kind="quiet" iconOnly />
        <h1 title={replay.description}>{replay.description}</h1>
        <ReplayStatus status={replay.state} pill />
        <ReplayActions replay={replay} />
      </header>
      <ReplayStatusCard replay={replay} />
      <ReplayOutcomeFilter replay={replay} selected={outcome} onSelect={setOutcome} />
      <ReplayFigures replay={replay} />
      <div className="replay-detail-lower">
        <ReplayWebhookList replay={replay} outcome={outcome} />
        <ReplaySidebar replay={replay} />
      </div>
    </section>
  );
}

/** Makes the replay available to commands and announces its state changes to screen readers. */
function useOpenReplayEffects(replay: ReplayJob): void {
  const { connection } = useBackend();
  // Uses a layout effect, so that the next key press already acts on this replay.
  useLayoutEffect(() => {
    useOpenReplay.setState({ replay, readBlob: connection.readBlob });
  }, [replay, connection]);
  useEffect(() => {
    // Moves the focus to the list if the focus was lost when the list of replays disappeared.
    if (document.activeElement === document.body) {
      document.querySelector<HTMLElement>('.replay-items [role="grid"]')?.focus({ preventScroll: true });
    }
    return () => useOpenReplay.setState({ replay: null });
  }, []);
  const { state } = replay;
  useEffect(() => announceToScreenReader(text.states[state]), [state]);
}

/** Shows buttons for the actions that the replay's state allows. The primary action comes last. */
function ReplayActions({ replay }: { readonly replay: ReplayJob }) {
  // Re-renders when this replay becomes the open one, because the commands depend on it.
  useOpenReplay();
  const isActive = isActiveReplay(replay);
  const isResumable = canResumeReplay(replay);
  return (
    <div className="replay-detail-actions">
      {!isActive && <ExportMenu />}
      {!isActive && (
        <CommandButton
          id="replay.failures"
          kind={countFailedWebhooks(replay) > 0 && !isResumable ? 'primary' : 'plain'}
        />
      )}
      {(isActive || isResumable) && <CommandButton id="replay.cancel" kind="plain" />}
      {(isActive || isResumable) && <PauseButton replay={replay} />}
    </div>
  );
}

/** Button that pauses or resumes the replay. Both actions use the same position and shortcut. */
function PauseButton({ replay }: { readonly replay: ReplayJob }) {
  const context = useCommandContext();
  const command = findCommand('replay.toggle');
  const enabled = command.enabled(context);
  const running = replay.state === 'running';
  const label = running ? text.pause : replay.paused_by === 'breaker' ? text.tryNow : text.resume;
  return (
    <Button
      kind={running ? 'plain' : 'primary'}
      icon={running ? Pause : Play}
      label={label}
      shortcuts={command.keys}
      disabledReason={enabled === true ? null : enabled}
      onPress={() => void runCommand(command, context)}
    >
      {label}
    </Button>
  );
}

function ExportMenu() {
  const context = useCommandContext();
  return (
    <Menu
      label={text.export}
      placement="bottom end"
      trigger={
        <Button kind="quiet" icon={FileDown} iconAfter={ChevronDown}>
          {text.export}
        </Button>
      }
      groups={[{ entries: createCommandMenuEntries(['replay.exportCsv', 'replay.exportJson'], context) }]}
    />
  );
}
