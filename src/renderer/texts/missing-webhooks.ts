import {
  describeUnknownEvents,
  missingWebhookSourceLabels,
  uncertaintyLabels,
} from '../../domain/labels/missing-webhooks.ts';
import { formatCount, formatCountWithNoun } from './numbers.ts';

export const missingWebhookTexts = {
  open: 'Missing webhooks…',
  title: 'Missing webhooks',
  intro:
    'Webhooks that the service must have generated in this time range, according to stored records, but that are not in the log. Tieout reconstructs them. The service has neither sent nor signed them.',
  summary: (missing: number, unconfirmed: number) =>
    `${formatCountWithNoun(missing, 'webhook')} missing${unconfirmed > 0 ? `, ${formatCount(unconfirmed)} unconfirmed` : ''}.`,
  none: 'No missing webhook is known.',
  describeUnknown: describeUnknownEvents,
  more: (count: number) => `${formatCount(count)} more are in the exported file.`,
  grid: 'Missing webhooks',
  columns: {
    at: 'Time',
    event: 'Event',
    subscription: 'Subscription',
    record: 'Record',
    status: 'Status',
    sources: 'Shown by',
  },
  missing: 'Missing',
  uncertainties: uncertaintyLabels,
  sources: missingWebhookSourceLabels,
  readEvents: 'Read events',
  saveCsv: 'Export CSV',
  saveJson: 'Export JSON',
  close: 'Close',
};
