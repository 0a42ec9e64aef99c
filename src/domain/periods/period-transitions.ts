/** Status of a period, as described in the contract. */
export type PeriodStatus = 'open' | 'submitted' | 'reviewed' | 'closed';
export type PeriodTransition = 'submit' | 'approve' | 'reject' | 'close' | 'reopen';

/** Status after each transition, by current status. Transitions without an entry are not allowed. */
const NEXT_STATUS: Readonly<Record<PeriodTransition, Partial<Readonly<Record<PeriodStatus, PeriodStatus>>>>> =
  {
    submit: { open: 'submitted' },
    approve: { submitted: 'reviewed' },
    reject: { submitted: 'open', reviewed: 'open' },
    close: { reviewed: 'closed' },
    reopen: { closed: 'open' },
  };

/** Reason why a transition is not allowed, and what to do instead. */
export type PeriodTransitionError = { readonly message: string; readonly hint: string };

/** Returns the status after a transition, or the reason why the transition is not allowed. */
export function transitionPeriod(
  period: string,
  state: PeriodStatus,
  transition: PeriodTransition,
): PeriodStatus | PeriodTransitionError {
  return (
    NEXT_STATUS[transition][state] ?? {
      message: `${period} is ${STATUS_TEXTS[state]}.`,
      hint: STATUS_HINTS[state],
    }
  );
}

export const isPeriodTransitionError = (
  outcome: PeriodStatus | PeriodTransitionError,
): outcome is PeriodTransitionError => typeof outcome !== 'string';

/** Returns the transitions that are allowed in a status. */
export function listAllowedPeriodTransitions(state: PeriodStatus): PeriodTransition[] {
  return (Object.keys(NEXT_STATUS) as PeriodTransition[]).filter(
    (transition) => NEXT_STATUS[transition][state] !== undefined,
  );
}

/** Words that complete a sentence such as `2026-10 is open.` */
const STATUS_TEXTS: Readonly<Record<PeriodStatus, string>> = {
  open: 'open',
  submitted: 'submitted and awaiting review',
  reviewed: 'reviewed and ready to close',
  closed: 'closed',
};

const STATUS_HINTS: Readonly<Record<PeriodStatus, string>> = {
  open: 'Submit it for review first.',
  submitted: 'Approve it, or reject it with a comment to reopen it for changes.',
  reviewed: 'Close it, or reject it with a comment to reopen it for changes.',
  closed: 'Reopen it with a reason to make changes.',
};
