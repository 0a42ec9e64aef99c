import type {
  AllocationChange,
  AllocationDraft,
  ChangeOutcome,
  ChangeProblem,
} from '../../contract/index.ts';
import { formatCount, formatCountWithNoun, formatQuantity } from './numbers.ts';

const schemes = new Map([
  [
    'upgrade prorate-delay-capture',
    'The rest of the period is charged; the card is charged at the next renewal.',
  ],
  [
    'upgrade prorate-attempt-capture',
    'The rest of the period is charged, and the card is charged at once; if that fails, at the next renewal.',
  ],
  ['upgrade no-prorate', 'Nothing is charged for the rest of the period.'],
  ['downgrade prorate', 'The rest of the period is credited.'],
  ['downgrade no-prorate', 'Nothing is credited for the rest of the period.'],
]);

const outcomes: Record<ChangeOutcome, string> = {
  waiting: 'Waiting',
  sending: 'Being sent',
  looking: 'Being looked up',
  applied: 'Applied',
  refused: 'Refused',
  moved: 'Changed meanwhile',
  undecided: 'To be decided',
  not_applied: 'Not applied',
};

const problems: Record<ChangeProblem, string> = {
  unreadable: 'Cannot be read',
  unknown_component: 'Not held here',
  missing: 'Unknown there',
  duplicate: 'Named twice',
  contradiction: 'Contradiction',
  no_change: 'No change',
};

const states: Record<AllocationDraft['state'], string> = {
  draft: 'Draft',
  discarded: 'Discarded',
  running: 'Being sent',
  paused: 'Paused',
  stopped: 'Stopped',
  interrupted: 'Interrupted',
  canceled: 'Canceled',
  done: 'Sent',
};

const quantityOr = (quantity: number | string | null) =>
  quantity === null ? 'nothing recorded' : formatQuantity(quantity);

export const allocationChangeTexts = {
  /** What a scheme means; null for one that the interface does not name. */
  schemeMeaning: (direction: AllocationChange['direction'], scheme: string) =>
    schemes.get(`${direction} ${scheme}`) ?? null,
  directions: { upgrade: 'Upgrade', downgrade: 'Downgrade', none: 'No change' },
  outcomes,
  problems,
  states,
  notAll: 'Sent, not all applied',
  hows: { response: 'the service answered', history: 'found in the history', user: 'marked by hand' },

  title: 'Changes of quantities',
  list: 'Drafts and changes…',
  grid: 'Drafts',
  back: 'Back to the components',
  one: 'draft',
  columns: {
    title: 'What',
    state: 'State',
    made: 'Made',
    changes: 'Changes',
    ready: 'Can be sent',
    applied: 'Applied',
    open: 'Open',
    user: 'By',
  },
  emptyTitle: 'No drafts yet',
  emptyText:
    'Change a quantity from its history, or import a CSV of many changes. Nothing is sent before you confirm it.',

  change: 'Change this quantity…',
  noComponent: 'Open a component first.',
  changeTitle: (customer: string | null, subscription: number) =>
    `Change quantities of ${customer === null ? '' : `${customer}, `}subscription ${subscription}`,
  changeText: 'This makes a draft with its preview. Nothing is sent yet.',
  componentId: 'Component id',
  now: (quantity: number | string | null) => `Now: ${quantityOr(quantity)}`,
  quantity: 'New quantity',
  quantityHint: 'On/off components: 1 is on, 0 is off.',
  quantityWrong: 'Digits, with a decimal point where the service allows fractions.',
  memo: 'Memo',
  memoHint: 'Recorded with the change.',
  upgrade: 'Scheme for an upgrade',
  downgrade: 'Scheme for a downgrade',
  ownScheme: 'The site’s own setting',
  addComponent: 'Add a component of this subscription',
  removeComponent: (component: string) => `Leave ${component} out`,
  togetherText: 'Several components leave in one request; their charges make one payment.',
  makeDraft: 'Preview',

  import: 'Import changes…',
  importTitle: 'Import changes from a CSV',
  importText:
    'The first line names the columns: subscription_id, component_id, quantity and, at will, memo, proration_upgrade_scheme, proration_downgrade_scheme. Nothing is sent yet.',
  chooseFile: 'Choose a file',
  chosenFile: (name: string) => `Chosen: ${name}`,
  together: 'The changes of a subscription leave in one request, and make one payment',
  noFile: 'Choose a file first.',

  detail: (title: string) => `Draft: ${title}`,
  facts: { site: 'Site', made: 'Made', checked: 'Checked against the service', requests: 'Sent as' },
  by: (user: string) => `by ${user}`,
  notChecked: 'not yet: what is shown is what is held here',
  separately: 'one request a change',
  inOne: 'one request a subscription',
  sent: ({ ready, outcomes }: AllocationDraft) =>
    `${formatCount(outcomes.applied)} of ${formatCountWithNoun(ready, 'change')} applied.`,
  summary: ({ ready, count, upgrades, downgrades }: AllocationDraft) =>
    `${formatCount(ready)} of ${formatCountWithNoun(count, 'change')} can be sent: ${formatCountWithNoun(upgrades, 'upgrade')}, ${formatCountWithNoun(downgrades, 'downgrade')}.`,
  meanwhile: (changed: number) =>
    `${formatCountWithNoun(changed, 'quantity has', 'quantities have')} changed since this was drafted. The preview shows what is true now.`,
  undecided: (count: number) =>
    `${formatCountWithNoun(count, 'change is', 'changes are')} to be decided: the answer was lost and the history does not tell. Open ${count === 1 ? 'it' : 'each'} and look at the evidence.`,
  check: 'Check against the service',
  send: 'Send…',
  pause: 'Pause',
  resume: 'Go on',
  stop: 'Stop',
  report: 'Report',
  reportCsv: 'As CSV',
  reportJson: 'As JSON',
  exported: (name: string) => `${name} is among your downloads.`,
  redraft: 'Draft the rest anew',
  discard: 'Discard',
  nothingReady: 'No change of this draft can be sent.',
  progress: 'Sent',
  showing: 'Show',
  shows: { all: 'All', ready: 'Can be sent', problems: 'Left out', wrong: 'Went wrong' },
  changesGrid: 'Changes of this draft',
  changeOne: 'change',
  noChanges: 'No change of this kind',
  changeColumns: {
    line: 'Line',
    subscription: 'Subscription',
    customer: 'Customer',
    component: 'Component',
    now: 'Now',
    quantity: 'New',
    direction: 'Way',
    scheme: 'Scheme',
    memo: 'Memo',
    outcome: 'Outcome',
    reason: 'Why',
  },
  ownSchemeSeen: (seen: string | null) => (seen === null ? 'site’s own' : `site’s own, last ${seen}`),

  sendTitle: (site: string) => `Send to ${site}?`,
  sendLead: (count: number, site: string) =>
    `${formatCountWithNoun(count, 'quantity', 'quantities')} will be changed at the billing service of ${site}. A change cannot be taken back; only another change can follow it.`,
  sendEach:
    'Each is sent only if the history still shows the quantity named here, and is looked up there if its answer is lost.',
  line: ({
    component_name,
    component_id,
    customer_name,
    subscription_id,
    current_quantity,
    quantity,
  }: AllocationChange) =>
    `${component_name ?? 'Component'} (component ${component_id}) of ${customer_name ?? 'subscription'} (subscription ${subscription_id}): ${quantityOr(current_quantity)} → ${quantityOr(quantity)}`,
  andMore: (count: number) => `and ${formatCountWithNoun(count, 'more', 'more')}, listed in the draft`,
  stopAfter: 'Stop when so many went wrong',
  stopAfterWrong: 'A whole number, 1 or more.',
  confirm: (count: number, site: string) =>
    `Change ${formatCountWithNoun(count, 'quantity', 'quantities')} on ${site}`,

  changeOf: (change: AllocationChange) =>
    `Component ${change.component_id ?? '–'} of subscription ${change.subscription_id ?? '–'}`,
  oneFacts: {
    change: 'Change',
    scheme: 'Scheme',
    memo: 'Memo',
    outcome: 'Outcome',
    recorded: 'Recorded by the service',
    raw: 'As it stands in the file',
    file: 'Line of the file',
  },
  meanwhileOne: (drafted: number | string | null, now: number | string | null) =>
    `When this was drafted the quantity was ${quantityOr(drafted)}; now it is ${quantityOr(now)}.`,
  evidence: 'Evidence',
  before: 'Before it was sent',
  after: 'In the history now',
  sight: (entries: number, equal: number, quantity: number | string | null) =>
    `${formatCountWithNoun(entries, 'entry', 'entries')}, ${formatCount(equal)} equal to this change; quantity ${quantityOr(quantity)}`,
  entries: 'New in the history since',
  entry: (from: number | string, to: number | string, memo: string | null) =>
    `${formatQuantity(from)} → ${formatQuantity(to)}${memo === null || memo === '' ? ', no memo' : `, “${memo}”`}`,
  requests: 'Requests',
  request: (number: number, state: string) => `Request ${number}: ${state}`,
  requestStates: {
    posting: 'on its way',
    unknown: 'answer lost',
    applied: 'applied',
    refused: 'refused',
    not_applied: 'not applied',
    undecided: 'not decided',
  },
  look: 'Look again',
  markApplied: 'It was applied',
  markNot: 'It was not applied',
  reason: 'How do you know?',
  whyMissing: 'Say how you know first.',
  close: 'Close',

  allocation: (component: number) => `Change of component ${component}`,
  allocationFacts: {
    change: 'Change',
    recorded: 'Recorded',
    memo: 'Memo',
    upgrade: 'Upgrade scheme',
    downgrade: 'Downgrade scheme',
    chain: 'Chain',
    webhook: 'Webhook',
    money: 'Charges and credits',
  },
  chained: 'It replaced the quantity that was in effect.',
  firstStored: 'It is the first one held.',
  broken:
    'It replaced another quantity than the one recorded before it: the quantity was changed in between without a record.',
  noScheme: 'none: not in the middle of a period',
  noWebhook: 'none is held',
  noMoney: 'none is held near it',
  webhookLink: (id: number) => `Webhook ${id}`,
  statementLink: (id: number) => `Statement ${id}`,
  offline: 'Drafts wait until the service can be asked.',
};
