import type { ReplayMode } from '../../contract/index.ts';
import { formatCount, formatCountWithNoun, formatDuration, formatRate } from './numbers.ts';

const wereNot = (count: number) => (count === 1 ? 'was not' : 'were not');

export const replayTexts = {
  selected: 'Replay…',
  wholeFilter: 'Replay all that match…',
  fromIds: 'Replay a list of ids…',
  nothingSelected: 'Select a webhook first.',
  nothingListed: 'No webhook is listed.',

  planTitle: 'Plan a replay',
  lead: (count: number, site: string) =>
    `${formatCountWithNoun(count, 'webhook')} of ${site} will be posted to the merchant’s endpoint again, the oldest first. The endpoint gets the same ids, and can tell repeats by them.`,
  none: 'None of these can be replayed as chosen.',
  noneTitle: 'Nothing to replay',
  includeAccepted: (count: number) =>
    count > 0
      ? `Also send the ${formatCount(count)} that ${count === 1 ? 'was' : 'were'} accepted already`
      : 'Also send those that were accepted already',
  includeAcceptedHint: 'The endpoint will get them a second time.',
  frozen: 'This list is fixed: nothing that changes in the log later adds to it.',
  planTabs: 'The plan',
  summary: 'Summary',
  theList: 'Webhooks',
  byEvent: 'By event',
  byError: 'By last error',
  byDay: 'By day',
  byUrl: 'By endpoint',
  neverSent: 'never sent',
  span: 'Created',
  fingerprint: 'Ids, SHA-256',
  leftOut: 'Left out',
  leftOutRows: {
    accepted: (count: number) =>
      `${formatCountWithNoun(count, 'webhook')} ${count === 1 ? 'was' : 'were'} accepted already.`,
    unknown: (count: number) =>
      `${formatCountWithNoun(count, 'id')} ${count === 1 ? 'is' : 'are'} not in the log held here.`,
    retrying: (count: number) =>
      `${formatCountWithNoun(count, 'webhook')} ${count === 1 ? 'waits' : 'wait'}: the service still tries ${count === 1 ? 'it' : 'them'} itself.`,
  },
  waits: 'Waits',
  retryingUntil: 'What it does not bring through is sent after',
  pace: 'Mode',
  modes: {
    adaptive: {
      label: 'Adaptive',
      hint: 'One first, then 5, then 24 at once; more after a long clean run, 24 again as soon as failures cluster.',
    },
    safe: {
      label: 'Safe',
      hint: 'Never more than 24 unresolved: 25 failures in a row make the service pause the endpoint.',
    },
    fast: {
      label: 'Fast',
      hint: 'Up to 1,000 at once. If the endpoint fails then, all of them fail and the service may pause it.',
    },
  } satisfies Record<ReplayMode, { label: string; hint: string }>,
  expectation: (ms: number, requests: number) =>
    `${ms < 1000 ? 'about a second' : `about ${formatDuration(ms)}`}, ${formatCountWithNoun(requests, 'request')}`,
  expected: 'Expected',
  noForecast: 'not known',
  rate: 'Webhooks a second, at most',
  rateHint: 'Empty: as fast as the mode allows.',
  ratePlaceholder: 'no limit',
  rateWrong: 'A number above 0, at most 10,000.',
  ordered: 'Keep the order within each subscription',
  orderedHint:
    'One webhook of a subscription at a time. Behind one that fails, none of that subscription is sent.',
  reason: 'Reason',
  reasonHint: 'Kept in the audit log.',
  reasonPlaceholder: 'Such as: books were down on 1 October',
  confirm: (count: number, site: string) => `Replay ${formatCount(count)} on ${site}`,
  notOffline: 'Nothing can be sent now.',
  oneAtATime: 'A replay is under way on this site. Go on with that one, or cancel it first.',
  wasRun: 'This plan was run already.',
  toItsReplay: 'Open its replay',
  keepPlan: 'Keep for later',
  discard: 'Discard plan',
  keep: 'Keep it',

  idsTitle: 'Replay a list of ids',
  idsText: 'Paste webhook ids, one a line or with commas between them, or choose a file that has them.',
  idsField: 'Webhook ids',
  idsFile: 'Choose a file…',
  idsFound: (count: number) =>
    count === 0 ? 'No id found yet.' : `${formatCountWithNoun(count, 'id')} found.`,
  idsSkipped: (count: number) =>
    `${formatCountWithNoun(count, 'word')} that ${count === 1 ? 'is' : 'are'} no id ${count === 1 ? 'is' : 'are'} passed over.`,
  idsPlan: 'Plan the replay…',
  idsNone: 'Paste ids first.',
  idsMany: 'At most 1,000,000 ids at once.',

  running: 'Replay',
  states: {
    running: 'Running',
    paused: 'Paused',
    done: 'Done',
    stopped: 'Stopped',
    canceled: 'Canceled',
    interrupted: 'Interrupted',
  },
  outcomes: {
    waiting: 'Waiting',
    sending: 'Sending',
    queued: 'Queued',
    accepted: 'Accepted',
    failed: 'Failed again',
    refused: 'Refused',
    unresolved: 'Unresolved',
  },
  outcomeHints: {
    waiting: 'Not sent yet.',
    sending: 'Being handed to the service.',
    queued: 'The service has it in its queue; the log does not show yet what became of it.',
    accepted: 'The log shows that the endpoint took it.',
    failed: 'The log shows that it was sent and not taken.',
    refused: 'The service would not queue it.',
    unresolved: 'The log has shown nothing for a long time.',
  },
  allOutcomes: 'All',
  showOutcomes: 'Show',

  now: 'What happens now',
  standing: {
    beginning: 'Reading the log before anything is sent.',
    canaryTitle: 'One webhook first',
    canary: 'The rest waits until the log shows that it was accepted.',
    stepTitle: (step: string) => `${step} at once`,
    step: 'The next step begins when all of them are resolved and at least 95 % were accepted.',
    fullTitle: (window: number) => `Up to ${formatCount(window)} at once`,
    full: {
      safe: 'Never more than 24 are unresolved.',
      adaptive: 'More after a long clean run; 24 again as soon as failures cluster.',
      fast: 'As many as the service takes.',
    } satisfies Record<ReplayMode, string>,
    lastTitle: 'All are sent',
    last: (in_flight: number) =>
      `Waiting for the log to show what became of the last ${in_flight === 1 ? 'one' : formatCount(in_flight)}.`,
    pausedTitle: 'Paused',
    paused: (in_flight: number) =>
      in_flight === 0
        ? 'Nothing is sent and nothing is underway.'
        : `Nothing more is sent. ${formatCountWithNoun(in_flight, 'webhook')} ${in_flight === 1 ? 'is' : 'are'} with the service already and cannot be called back; the log is still read for ${in_flight === 1 ? 'it' : 'them'}.`,
    breakerTitle: 'The endpoint stopped accepting',
    breaker: (probe: number, most: number) =>
      `Nothing is sent but one webhook at a time, to see whether it is back: try ${probe} of ${most}. The rest goes on by itself when one is accepted.`,
    keyTitle: 'The key was refused',
    refusalsTitle: 'The service refuses every webhook',
    troubleTitle: 'Waiting for the service',
    doneTitle: 'All were accepted',
    done: (count: number) =>
      `The log shows each of the ${formatCountWithNoun(count, 'webhook')} as accepted.`,
    doneOne: 'The log shows it as accepted.',
    failuresTitle: (failed: number, all: number) =>
      `${formatCount(failed)} of ${formatCount(all)} ${wereNot(failed)} accepted`,
    failures: 'They can be replayed by themselves once the reason is mended.',
    stoppedTitle: 'Stopped',
    stopped: 'What was not sent is still waiting: mend the endpoint, then go on.',
    canceledTitle: 'Canceled',
    canceled: (waiting: number) =>
      `${formatCountWithNoun(waiting, 'webhook')} ${waiting === 1 ? 'was' : 'were'} not sent.`,
    interruptedTitle: 'Interrupted',
    interrupted:
      'Tieout was closed while it ran. Going on first looks up what was underway; nothing the log shows as sent is sent again.',
  },
  steps: {
    label: 'Steps',
    names: ['One', '5', '24', 'Full', 'Verified'],
    done: 'done',
    current: 'now',
    ahead: 'to come',
  },
  figures: {
    label: 'Pace',
    rate: 'Rate',
    rateOf: (rate: number | null, most: number | null) =>
      [rate === null ? '–' : formatRate(rate), most === null ? null : `of ${formatRate(most)}`]
        .filter(Boolean)
        .join(' '),
    window: 'Unresolved',
    windowOf: (unresolved: number, window: number) => `${formatCount(unresolved)} of ${formatCount(window)}`,
    left: 'Left',
    leftText: (ms: number | null) => (ms === null ? '–' : `about ${formatDuration(ms)}`),
    requests: 'Requests',
    least: (count: number) => `${formatCount(count)} would be the least`,
    breaker: 'Endpoint',
    unknown: 'Not known yet',
    closed: 'Accepting',
    open: 'Not accepting',
    outOf: (accepted: number, all: number) =>
      all === 0
        ? 'nothing resolved yet'
        : `${formatCount(accepted)} of the last ${formatCount(all)} accepted`,
    probe: (when: string) => `next try ${when}`,
    lookAt: (when: string) => `log read ${when}`,
    noLook: 'nothing underway',
    soon: 'now',
    inTime: (ms: number) => `in ${formatDuration(ms)}`,
    took: 'Took',
    mode: 'Mode',
    started: 'Started',
    ended: 'Ended',
    sendsAgain: (when: string) => `sends again ${when}`,
  },
  errors: 'Errors',
  noErrors: 'None so far.',
  noErrorsEnded: 'None.',
  showError: 'Show its webhooks',
  history: 'What was done',
  did: {
    'replay.run': 'Started',
    'replay.pause': 'Paused',
    'replay.resume': 'Went on',
    'replay.cancel': 'Canceled',
    'replay.end': 'Ended',
  } as Readonly<Record<string, string>>,
  by: (user: string) => `by ${user}`,
  planOf: 'Of plan',
  orderKept: 'Order kept within subscriptions',

  moreOf: (count: number) => `${formatCount(count)} more`,
  days: (days: number) => formatCountWithNoun(days, 'day'),
  outcomesOf: 'Outcomes',
  items: 'Webhooks of this replay',
  itemColumns: {
    id: 'Id',
    event: 'Event',
    outcome: 'Outcome',
    sent: 'Sent',
    resolved: 'Resolved',
    error: 'Last error',
    created: 'Created',
    subscription: 'Subscription',
  },
  noItems: 'None with this outcome.',

  toggle: 'Pause or go on',
  pause: 'Pause',
  resume: 'Go on',
  tryNow: 'Try now',
  stop: 'Cancel replay…',
  stopTitle: 'Cancel this replay?',
  stopText: {
    waiting: (count: number) => `${formatCountWithNoun(count, 'webhook')} will not be sent.`,
    in_flight: (count: number) =>
      count === 0
        ? 'Nothing is with the service: nothing more will reach the endpoint.'
        : `${formatCountWithNoun(count, 'webhook')} ${count === 1 ? 'is' : 'are'} with the service already and cannot be called back: the endpoint may still get ${count === 1 ? 'it' : 'them'}. The next sync shows what became of ${count === 1 ? 'it' : 'them'}.`,
    rest: 'What was accepted stays accepted. A canceled replay cannot go on; a new plan can take what is left.',
  },
  stopConfirm: 'Cancel the replay',
  notUnderWay: 'This replay has ended.',
  noneOpen: 'Open a replay first.',
  retryFailures: 'Replay the failures…',
  noFailures: 'None failed.',
  notEnded: 'It is still under way.',
  exportCsv: 'Export the report as CSV',
  exportJson: 'Export the report as JSON',
  export: 'Export',
  exported: (name: string) => `${name} was saved to the downloads.`,
  openRunning: 'Open the replay under way',
  noneRunning: 'No replay is under way.',
  backToList: 'All replays',

  title: 'Replays',
  grid: 'Replays',
  listed: 'Listed',
  ran: 'Replays',
  planned: 'Not run yet',
  plansGrid: 'Plans not run yet',
  planColumns: {
    made: 'Planned',
    what: 'Webhooks',
    count: 'In all',
    oldest: 'Oldest',
    newest: 'Newest',
  },
  noPlansTitle: 'No plan waits',
  noPlans: 'A plan that was made and not run, such as while offline or on the command line, is listed here.',
  columns: {
    state: 'State',
    what: 'Webhooks',
    started: 'Started',
    took: 'Took',
    ended: 'Ended',
    sum: 'In all',
    accepted: 'Accepted',
    failed: 'Not accepted',
    left: 'Not sent',
    mode: 'Mode',
  },
  emptyTitle: 'No replays yet',
  emptyText:
    'Pick an outage, or webhooks that were not accepted, and replay them. Every replay is kept here for good, with the outcome of each id.',
  openWebhook: 'Open the webhook',
};
