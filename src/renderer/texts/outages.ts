import type { OutageKind } from '../../contract/index.ts';
import { formatCount, formatCountWithNoun } from './numbers.ts';

export const outageTexts = {
  title: 'Outages',
  timeline: 'Webhooks over time, by what came of them',
  timelineHint:
    'Arrow keys move from bar to bar, Shift extends, Page Up and Page Down go from outage to outage, Enter looks closer, Escape lets go.',
  views: 'Shown as',
  plot: 'Plot',
  table: 'Table',
  tableColumns: {
    from: 'From',
    accepted: 'Accepted',
    failed: 'Failed',
    pending: 'Pending',
    outage: 'Outage',
  },
  parts: { accepted: 'Accepted', failed: 'Failed', pending: 'Pending' },
  ofEach: (length: string) => `A bar is ${length}`,
  lengths: { day: 'a day', days: (days: number) => `${formatCount(days)} days`, hour: 'an hour' },
  counts: (accepted: number, failed: number, pending: number) =>
    [
      `${formatCount(accepted)} accepted`,
      `${formatCount(failed)} failed`,
      ...(pending > 0 ? [`${formatCount(pending)} pending`] : []),
    ].join(', '),
  wholeLog: 'Whole log',
  zoomIn: 'Look closer',
  isWhole: 'The whole log is shown.',
  show: 'Show webhooks',
  plan: 'Plan a replay…',
  nothingFailed: 'Everything in that time was accepted.',
  nothingToReplay: 'The log has nothing of that time, so there is nothing to replay.',
  kinds: {
    failures: 'Not accepted',
    never_sent: 'Never sent',
    hole: 'Hole in the log',
  } satisfies Record<OutageKind, string>,
  ongoing: 'goes on',
  told: {
    failures: (missed: number, url: string) =>
      `${formatCountWithNoun(missed, 'webhook')} to ${url === '' ? 'the endpoint' : url} ${missed === 1 ? 'was' : 'were'} not accepted.`,
    never_sent: (missed: number) =>
      `${formatCountWithNoun(missed, 'webhook')} ${missed === 1 ? 'was' : 'were'} written down but never sent, as while the service has paused the endpoint.`,
    hole: (expected: number) =>
      `No webhook at all; about ${formatCount(expected)} are usual in such a time. A disabled endpoint gets none made, so there is nothing to replay: compare with the statements.`,
  },
  grid: 'Outages',
  columns: {
    kind: 'What happened',
    from: 'From',
    to: 'To',
    lasted: 'Lasted',
    missed: 'Not accepted',
    accepted: 'Accepted',
    error: 'Main error',
    url: 'Endpoint',
  },
  more: (count: number) => `${formatCountWithNoun(count, 'older one is', 'older ones are')} not listed.`,
  listMore: 'List more',
  /** Where no more can be listed. */
  drawIt: 'To look at an older one, draw its time in the plot above.',
  noneTitle: 'No outage',
  none: 'The log shows no time in which the endpoint did not take what was sent. Single failures stand under errors.',
  errors: 'Errors',
  errorsOfStretch: 'Errors of that time',
  errorColumns: { error: 'Error', count: 'Webhooks', first: 'First', last: 'Last', url: 'Endpoint' },
  noErrorsTitle: 'No errors',
  noErrors: 'No webhook failed.',
  emptyTitle: 'No webhooks yet',
  emptyText: 'A sync brings the site’s webhook log to this computer; outages are found in it.',
  nothingPicked: 'Pick an outage first, or draw a stretch of time.',
  find: 'Find outages',
  lookedAt: 'What is looked at',
  nothingCloser: 'There is nothing closer to look at.',
};
