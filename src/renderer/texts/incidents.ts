import { incidentKindLabels, incidentStateLabels } from '../../domain/labels/incidents.ts';
import { commonFieldTitles } from './common-titles.ts';
import { formatCount, formatCountWithNoun } from './numbers.ts';

export const incidentTexts = {
  title: 'Incidents',
  lists: 'List to show',
  find: 'Find incidents',
  dialogTitle: (id: number) => `Incident ${id}`,
  kinds: incidentKindLabels,
  states: incidentStateLabels,
  columns: {
    ...commonFieldTitles,
    state: 'Status',
    name: 'Name',
    from: 'From',
    accepted: 'Accepted',
    owner: 'Owner',
  },
  acceptedOf: (accepted: number, webhooks: number) =>
    webhooks === 0 ? '' : `${formatCount(accepted)} of ${formatCount(webhooks)}`,
  impact: (accepted: number, webhooks: number) =>
    webhooks === 0
      ? 'The log has no webhooks of this time, so the number of missing notifications is unknown.'
      : `${formatCount(accepted)} of ${formatCountWithNoun(webhooks, 'webhook')} accepted.`,
  resolvedBy: {
    proof: 'Resolved: the webhook log proves it.',
    person: 'Resolved by a decision.',
  },
  noneTitle: 'No incidents',
  none: 'Each sync adds the outages it finds. An incident is resolved when all of its webhooks have been accepted.',
  add: 'Create incident',
  added: (id: number) => `Incident ${id} created.`,
  name: 'Name',
  cause: 'Cause',
  owner: 'Owner',
  note: 'Note or reason',
  noteHint: 'Added to the timeline. Required to resolve or reopen.',
  noteRequired: 'Enter the reason first.',
  save: 'Save',
  acknowledge: 'Acknowledge',
  resolve: 'Resolve',
  reopen: 'Reopen',
  report: 'Save report',
  plan: 'Plan replay…',
  timeline: 'Timeline',
  by: (user: string) => `by ${user}`,
};
