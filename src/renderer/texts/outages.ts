import { deliveryStateLabels, outageKindLabels } from '../../domain/labels/webhooks.ts';
import { commonFieldTitles } from './common-titles.ts';
import { formatCount, formatCountWithNoun } from './numbers.ts';

export const outageTexts = {
  title: 'Outages',
  timeline: 'Webhooks over time by delivery status',
  timelineHint:
    'Arrow keys move between bars, Shift extends the range, Page Up and Page Down move between outages, Enter zooms in, Escape clears the selection.',
  views: 'View',
  plot: 'Chart',
  table: 'Table',
  tableColumns: { from: 'From', ...deliveryStateLabels, outage: 'Outage' },
  parts: deliveryStateLabels,
  barLength: (length: string) => `Each bar covers ${length}`,
  barLengths: { day: '1 day', days: (days: number) => `${formatCount(days)} days`, hour: '1 hour' },
  counts: (accepted: number, failed: number, pending: number) =>
    [
      `${formatCount(accepted)} accepted`,
      `${formatCount(failed)} failed`,
      ...(pending > 0 ? [`${formatCount(pending)} pending`] : []),
    ].join(', '),
  showAll: 'Show entire log',
  zoomIn: 'Zoom in',
  isAllShown: 'The entire log is already shown.',
  show: 'Show webhooks',
  plan: 'Plan replay…',
  nothingFailed: 'All webhooks in this time range were accepted.',
  nothingToReplay: 'The log has no webhooks in this time range, so there is nothing to replay.',
  kinds: outageKindLabels,
  ongoing: 'Ongoing',
  descriptions: {
    failures: (missed: number, url: string) =>
      `${formatCountWithNoun(missed, 'webhook')} to ${url === '' ? 'the endpoint' : url} ${missed === 1 ? 'was' : 'were'} not accepted.`,
    never_sent: (missed: number) =>
      `${formatCountWithNoun(missed, 'webhook')} ${missed === 1 ? 'was' : 'were'} logged but never sent, for example because the service paused the endpoint.`,
    gap: (expected: number) =>
      `The log has no webhooks here. About ${formatCount(expected)} are usual for this time range. The service creates no webhooks for a disabled endpoint, so there is nothing to replay. Missing webhooks lists what it should have created.`,
  },
  endpointsLoading: 'Loading the status of the endpoints…',
  endpointStopped: (endpoints: string) =>
    `The service sends no webhooks to ${endpoints}. Fix the endpoint and enable it at the service.`,
  grid: 'Outages',
  columns: {
    ...commonFieldTitles,
    kind: 'Kind',
    from: 'From',
    to: 'To',
    lasted: 'Duration',
    missed: 'Not accepted',
    error: 'Main error',
  },
  more: (count: number) => `${formatCountWithNoun(count, 'older outage')} not shown.`,
  listMore: 'Show more',
  /** Hint shown when the list of outages has reached its maximum length. */
  selectInChart: 'To see an older outage, select its time range in the chart.',
  noneTitle: 'No outages',
  none: 'The log shows no time range in which the endpoint rejected webhooks. Single failures are listed under Errors.',
  errors: 'Errors',
  errorsInRange: 'Errors in this time range',
  errorColumns: { error: 'Error', count: 'Webhooks', first: 'First', last: 'Last', url: 'Endpoint' },
  noErrorsTitle: 'No errors',
  noErrors: 'No webhook failed.',
  emptyTitle: 'No webhooks yet',
  emptyText: 'Sync the webhook log. Tieout then detects outages in it.',
  nothingSelected: 'Select an outage or a time range first.',
  find: 'Find outages',
  selection: 'Selected time range',
  cannotZoomIn: 'The selection cannot be enlarged further.',
};
