import { ChevronDown, FileDown, Pause, Play } from 'lucide-react';
import { useEffect, useLayoutEffect, useState } from 'react';
import { Button as AriaButton } from 'react-aria-components';
import type { ReplayJob, ReplayOutcome, Site } from '../../contract/index.ts';
import { useBackend, useQuery } from '../backend-client/backend-hooks.ts';
import { runCommand } from '../commands/command.ts';
import { CommandButton } from '../commands/command-button.tsx';
import { findCommand } from '../commands/command-registry.ts';
import { useCommandContext } from '../commands/use-command-context.ts';
import { Button } from '../controls/button.tsx';
import { Menu } from '../controls/menu.tsx';
import { Skeleton } from '../controls/skeleton.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { announce } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { useOpenReplay } from './open-replay.ts';
import { OutcomeFilter } from './outcome-filter.tsx';
import { ReplayFigures } from './replay-figures.tsx';
import { ReplayItems } from './replay-items.tsx';
import { canResumeReplay, countFailures, isActiveReplay } from './replay-outcomes.ts';
import { ReplaySidebar } from './replay-sidebar.tsx';
import { ReplayStatus } from './replay-status.tsx';
import { ReplayStatusCard } from './replay-status-card.tsx';
import './replay-detail.css';

const text = texts.replay;

/** One replay: what it does now while it runs, and its report afterwards. Every part keeps its place throughout. */
export function ReplayDetail({ site, job }: { readonly site: Site; readonly job: string }) {
  const { data: replay, error } = useQuery('replay.get', { site: site.site, job });
  if (!replay || replay.job !== job) {
    return (
      <section className="cockpit" aria-label={text.running}>
        <header className="cockpit-head">
          <CommandButton id="replay.list" kind="quiet" iconOnly />
          <h1>{text.running}</h1>
        </header>
        <div className="cockpit-wait">{error ? <ErrorMessage error={error} /> : <Skeleton lines={10} />}</div>
      </section>
    );
  }
  return <OpenReplay key={job} replay={replay} />;
}

function OpenReplay({ replay }: { readonly replay: ReplayJob }) {
  const [only, setOnly] = useState<ReplayOutcome | null>(null);
  useOpenReplayEffects(replay);
  return (
    <section className="cockpit" aria-label={text.running}>
      <header className="cockpit-head">
        <CommandButton id="replay.list" kind="quiet" iconOnly />
        <h1 title={replay.description}>{replay.description}</h1>
        <ReplayStatus state={replay.state} />
        <ReplayActions replay={replay} />
      </header>
      <ReplayStatusCard replay={replay} />
      <OutcomeFilter replay={replay} only={only} onOnly={setOnly} />
      <ReplayFigures replay={replay} />
      <div className="cockpit-lower">
        <ReplayItems replay={replay} only={only} />
        <ReplaySidebar replay={replay} />
      </div>
    </section>
  );
}

/** Lets the commands act on it, and says how it goes on to those who do not see it. */
function useOpenReplayEffects(replay: ReplayJob): void {
  const { connection } = useBackend();
  // Before the next key: it acts on what is seen.
  useLayoutEffect(() => {
    useOpenReplay.setState({ replay, readBlob: connection.readBlob });
  }, [replay, connection]);
  useEffect(() => {
    // Its list takes the keys at once, where the focus was left behind with the list of replays.
    if (document.activeElement === document.body)
      document.querySelector<HTMLElement>('.replay-items [role="grid"]')?.focus({ preventScroll: true });
    return () => useOpenReplay.setState({ replay: null });
  }, []);
  const { state } = replay;
  useEffect(() => announce(text.states[state]), [state]);
}

/** What can be done about it now; the decisive one stands last. */
function ReplayActions({ replay }: { readonly replay: ReplayJob }) {
  // The commands look at the replay that is open: drawn again when that is this one.
  useOpenReplay();
  const underWay = isActiveReplay(replay);
  const goesOn = canResumeReplay(replay);
  return (
    <div className="cockpit-actions">
      {!underWay && <ExportMenu />}
      {!underWay && (
        <CommandButton
          id="replay.failures"
          kind={countFailures(replay) > 0 && !goesOn ? 'primary' : 'plain'}
        />
      )}
      {(underWay || goesOn) && <CommandButton id="replay.cancel" kind="plain" />}
      {(underWay || goesOn) && <PauseButton replay={replay} />}
    </div>
  );
}

/** Pauses, or goes on: one place and one key for both. */
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

/** The report as a file. */
function ExportMenu() {
  const context = useCommandContext();
  return (
    <Menu
      label={text.export}
      placement="bottom end"
      trigger={
        <AriaButton className="button button-quiet button-regular">
          <FileDown size={15} aria-hidden="true" />
          <span className="button-text">{text.export}</span>
          <ChevronDown size={13} aria-hidden="true" />
        </AriaButton>
      }
      groups={[
        {
          entries: ['replay.exportCsv', 'replay.exportJson'].map((id) => {
            const command = findCommand(id);
            return { id, label: command.title, run: () => void runCommand(command, context) };
          }),
        },
      ]}
    />
  );
}
