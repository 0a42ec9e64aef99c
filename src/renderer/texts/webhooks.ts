import {
  deliveryFilterLabels,
  deliveryStateLabels,
  webhookBodyFormLabels,
} from '../../domain/labels/webhooks.ts';
import { commonFieldTitles } from './common-titles.ts';

/** Formats an error group for display, without the retry count that the service adds to each error. */
export function formatErrorGroup(group: string): string {
  return group.replace(/ \(retry # of #\)$/, '');
}

export const webhookTexts = {
  title: 'Webhooks',
  grid: 'Webhooks',
  detail: (id: number) => `Webhook ${id}`,
  search: 'Search IDs, text, errors',
  delivery: deliveryStateLabels,
  columns: {
    ...commonFieldTitles,
    event: 'Event',
    created: 'Created',
    lastSent: 'Last sent',
    lastErrorAt: 'Last error at',
    error: 'Last error',
  },
  filters: { ...commonFieldTitles, event: 'Event', error: 'Error', instants: 'Time range' },
  status: deliveryFilterLabels,
  showFailed: 'Show webhooks not accepted',
  attempts: 'Last delivery attempt',
  pendingText: 'Not sent yet, or queued again by a replay.',
  body: 'Body',
  table: 'Fields',
  raw: 'Raw body',
  bodyKey: 'Field',
  bodyValue: 'Value',
  findField: 'Search fields',
  noField: 'No field matches.',
  unreadable: 'The body could not be decoded. See the raw body.',
  noBody: 'The body is empty.',
  signature: 'Signature',
  extra: 'Additional fields from the service',
  replays: 'Replays',
  noReplays: 'Not replayed with Tieout yet.',
  readAt: 'Synced',
  bodyForms: webhookBodyFormLabels,
  copyBody: 'Copy body',
  copyId: 'Copy ID',
  copySignature: 'Copy signature',
  showStatement: 'Open statement',
  showSubscription: 'Show subscription activity',
  notStored: 'This webhook is not stored locally. It may be older than the synced part of the log.',
  emptyTitle: 'No webhooks yet',
  emptyText: 'Sync the site to download its webhook log. You can then read it offline.',
  noneTitle: 'No matching webhooks',
  noneText: 'No webhook matches this filter.',
};
