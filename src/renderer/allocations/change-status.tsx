import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleHelp,
  CircleSlash,
  CircleX,
  LoaderCircle,
  type LucideIcon,
  Pause,
  Search,
} from 'lucide-react';
import type { AllocationChange, AllocationDraft, ChangeOutcome } from '../../contract/index.ts';
import { StatusLabel, type StatusTone } from '../controls/status-label.tsx';
import { texts } from '../texts/texts.ts';

const text = texts.changes;

const outcomeStyles: Record<ChangeOutcome, readonly [StatusTone, LucideIcon]> = {
  waiting: ['calm', CircleDashed],
  sending: ['accent', LoaderCircle],
  looking: ['warn', Search],
  applied: ['good', CircleCheck],
  refused: ['bad', CircleX],
  moved: ['warn', CircleSlash],
  undecided: ['warn', CircleHelp],
  not_applied: ['bad', CircleX],
};

/** Shows the outcome of an allocation change, or the problem that excludes the change from sending. */
export function AllocationChangeStatus({ change }: { readonly change: AllocationChange }) {
  if (change.problem !== null) {
    return (
      <StatusLabel tone="warn" icon={CircleSlash}>
        {text.problems[change.problem]}
      </StatusLabel>
    );
  }
  const [tone, icon] = outcomeStyles[change.outcome];
  return (
    <StatusLabel tone={tone} icon={icon}>
      {text.outcomes[change.outcome]}
    </StatusLabel>
  );
}

const stateStyles: Record<AllocationDraft['state'], readonly [StatusTone, LucideIcon]> = {
  draft: ['calm', CircleDashed],
  discarded: ['calm', CircleSlash],
  running: ['accent', LoaderCircle],
  paused: ['warn', Pause],
  stopped: ['bad', CircleAlert],
  interrupted: ['warn', CircleAlert],
  canceled: ['warn', CircleSlash],
  done: ['good', CircleCheck],
};

/** Shows the status of a draft. Undecided changes take precedence over the draft's state. */
export function AllocationDraftStatus({
  draft,
  pill = false,
}: {
  readonly draft: AllocationDraft;
  readonly pill?: boolean;
}) {
  const { state, outcomes: counts, ready } = draft;
  const [tone, icon, word] =
    counts.undecided > 0
      ? (['warn', CircleHelp, text.outcomes.undecided] as const)
      : state === 'done' && counts.applied < ready
        ? (['warn', CircleAlert, text.notAll] as const)
        : ([...stateStyles[state], text.states[state]] as const);
  return (
    <StatusLabel tone={tone} icon={icon} pill={pill}>
      {word}
    </StatusLabel>
  );
}
