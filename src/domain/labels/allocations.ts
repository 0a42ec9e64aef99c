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
    'A prorated charge is added. The card is not charged before the next renewal.',
  ],
  [
    'upgrade prorate-attempt-capture',
    'A prorated charge is added, and the service tries to charge the card immediately. If that fails, the charge waits for the next renewal.',
  ],
  ['upgrade no-prorate', 'No charge is added.'],
  ['downgrade prorate', 'A prorated credit is added.'],
  ['downgrade no-prorate', 'No credit is added.'],
]);

const siteSettingDescriptions = new Map([
  [
    'upgrade',
    'The site’s setting decides whether a charge is added and when the card is charged. The service does not report the setting.',
  ],
  [
    'downgrade',
    'The site’s setting decides whether a credit is added. The service does not report the setting.',
  ],
]);

/** Describes the effect of a proration scheme; null if the interface (2.2) does not define it. */
export const describeProrationScheme = (direction: string | null, scheme: string): string | null =>
  prorationSchemeDescriptions.get(`${direction} ${scheme}`) ?? null;

/** Describes what is known about a change that is sent without a proration scheme; null without a direction. */
export const describeSiteProration = (direction: string | null): string | null =>
  siteSettingDescriptions.get(direction ?? '') ?? null;

/**
 * Returns the proration scheme of a change as text. The scheme of the latest change is no proof of the site's setting,
 * because that change may have named its scheme.
 */
export function formatProrationScheme(scheme: string | null, latest: string | null): string {
  if (scheme !== null) return scheme;
  return latest === null ? 'site default, unknown' : `site default, unknown (latest change: ${latest})`;
}

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
