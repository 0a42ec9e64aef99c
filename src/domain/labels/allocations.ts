/** Labels of allocations and their changes, shared by the window, the command line and the reports. */
export const allocationHistoryStateLabels = {
  complete: 'Complete',
  waiting: 'Not downloaded yet',
  missing: 'Unknown to the service',
  problem: 'Problem',
} as const;

export const componentSourceLabels = {
  webhook: 'Webhook',
  statement: 'Statement',
  user: 'Added manually',
  file: 'File',
} as const;

export const quantityDirectionLabels = {
  upgrade: 'Upgrade',
  downgrade: 'Downgrade',
  none: 'No change',
} as const;

const prorationSchemeDescriptions = new Map([
  [
    'upgrade prorate-delay-capture',
    'The rest of the period is charged. Payment is collected at the next renewal.',
  ],
  [
    'upgrade prorate-attempt-capture',
    'The rest of the period is charged. Payment is collected immediately or, if that fails, at the next renewal.',
  ],
  ['upgrade no-prorate', 'Nothing is charged for the rest of the period.'],
  ['downgrade prorate', 'The rest of the period is credited.'],
  ['downgrade no-prorate', 'Nothing is credited for the rest of the period.'],
]);

/** Describes the effect of a proration scheme; null if the interface does not define it. */
export const describeProrationScheme = (direction: string | null, scheme: string): string | null =>
  prorationSchemeDescriptions.get(`${direction} ${scheme}`) ?? null;

export const allocationOutcomeLabels = {
  waiting: 'Waiting',
  sending: 'Sending',
  verifying: 'Verifying',
  applied: 'Applied',
  refused: 'Rejected',
  quantity_changed: 'Quantity changed in the meantime',
  undecided: 'Decision needed',
  not_applied: 'Not applied',
} as const;

export const allocationProblemLabels = {
  unreadable: 'Unreadable',
  unknown_component: 'Component not stored locally',
  missing: 'Unknown to the service',
  duplicate: 'Duplicate',
  contradiction: 'Contradicts another change',
  no_change: 'Quantity unchanged',
} as const;

export const draftStateLabels = {
  draft: 'Draft',
  discarded: 'Discarded',
  running: 'Sending',
  paused: 'Paused',
  stopped: 'Stopped',
  interrupted: 'Interrupted',
  canceled: 'Canceled',
  done: 'Sent',
} as const;

export const allocationResolutionLabels = {
  response: 'Service response',
  history: 'Found in the allocation history',
  user: 'Entered manually',
} as const;

export const allocationRequestStateLabels = {
  posting: 'In progress',
  unknown: 'Response lost',
  applied: 'Applied',
  refused: 'Rejected',
  not_applied: 'Not applied',
  undecided: 'Undecided',
} as const;
