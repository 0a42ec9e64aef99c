import {
  CircleAlert,
  CircleCheck,
  CircleDashed,
  CircleHelp,
  CircleSlash,
  CircleX,
  LoaderCircle,
  Pause,
  Search,
} from 'lucide-react';
import type {
  AllocationChange,
  AllocationChangeOutcome,
  AllocationDraft,
  SubscriptionComponent,
} from '../../contract/index.ts';
import { createStatusBadge, StatusLabel, type StatusStyleMap } from '../controls/status-label.tsx';
import { texts } from '../texts/texts.ts';

const text = texts.changes;

const outcomeStyles: StatusStyleMap<AllocationChangeOutcome> = {
  waiting: ['calm', CircleDashed],
  sending: ['accent', LoaderCircle],
  verifying: ['warn', Search],
  applied: ['good', CircleCheck],
  refused: ['bad', CircleX],
  quantity_changed: ['warn', CircleSlash],
  undecided: ['warn', CircleHelp],
  not_applied: ['bad', CircleX],
};

/** Shows the outcome of an allocation change, or the problem that prevents its sending. */
export function AllocationChangeStatus({ change }: { readonly change: AllocationChange }) {
  if (change.problem !== null) {
    return <StatusLabel tone="warn" icon={CircleSlash} text={text.problems[change.problem]} />;
  }
  const [tone, icon] = outcomeStyles[change.outcome];
  return <StatusLabel tone={tone} icon={icon} text={text.outcomes[change.outcome]} />;
}

const stateStyles: StatusStyleMap<AllocationDraft['state']> = {
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
export function AllocationDraftStatus(props: { readonly draft: AllocationDraft; readonly pill?: boolean }) {
  const { state, outcomes: counts, ready } = props.draft;
  const [tone, icon, word] =
    counts.undecided > 0
      ? (['warn', CircleHelp, text.outcomes.undecided] as const)
      : state === 'done' && counts.applied < ready
        ? (['warn', CircleAlert, text.notAll] as const)
        : ([...stateStyles[state], text.states[state]] as const);
  return <StatusLabel tone={tone} icon={icon} pill={props.pill ?? false} text={word} />;
}

/** Shows how complete the allocation history of a subscription component is. */
export const AllocationHistoryStatus = createStatusBadge<SubscriptionComponent['state']>(
  {
    complete: ['good', CircleCheck],
    waiting: ['calm', CircleDashed],
    missing: ['warn', CircleHelp],
    problem: ['bad', CircleAlert],
  },
  texts.allocations.states,
);

/** Describes the direction of a quantity change, the proration scheme that applies, and what the scheme means. */
export function ProrationSchemeDescription({ change }: { readonly change: AllocationChange }) {
  const { direction, scheme, scheme_seen } = change;
  if (direction === null) return null;
  const meaning =
    scheme === null ? text.siteProrationMeaning(direction) : text.schemeMeaning(direction, scheme);
  return (
    <span className="fineprint">
      {text.directions[direction]}
      {direction !== 'none' && `, ${text.scheme(scheme, scheme_seen)}`}
      {meaning && `. ${meaning}`}
    </span>
  );
}
