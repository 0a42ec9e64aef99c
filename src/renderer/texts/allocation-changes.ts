import type { AllocationChange, AllocationDraft } from '../../contract/index.ts';
import {
  allocationOutcomeLabels,
  allocationProblemLabels,
  allocationRequestStateLabels,
  allocationResolutionLabels,
  describeProrationScheme,
  describeSiteProration,
  draftStateLabels,
  formatProrationScheme,
  quantityDirectionLabels,
} from '../../domain/labels/allocations.ts';
import { commonFieldTitles } from './common-titles.ts';
import { formatCount, formatCountWithNoun, formatQuantity } from './numbers.ts';

const quantityOr = (quantity: number | string | null) =>
  quantity === null ? 'none recorded' : formatQuantity(quantity);

export const allocationChangeTexts = {
  scheme: formatProrationScheme,
  schemeMeaning: describeProrationScheme,
  siteProrationMeaning: describeSiteProration,
  directions: quantityDirectionLabels,
  outcomes: allocationOutcomeLabels,
  problems: allocationProblemLabels,
  states: draftStateLabels,
  notAll: 'Sent, partly applied',
  resolutions: allocationResolutionLabels,

  title: 'Allocation changes',
  list: 'Allocation changes',
  grid: 'Drafts',
  back: 'Back to components',
  singular: 'draft',
  columns: {
    title: 'Title',
    state: 'Status',
    made: 'Created',
    changes: 'Changes',
    ready: 'Ready to send',
    applied: 'Applied',
    open: 'Unresolved',
    user: 'Created by',
  },
  emptyTitle: 'No drafts yet',
  emptyText:
    'Change a quantity in a component’s history, or import changes from a CSV file. Nothing is sent before you confirm.',

  change: 'Change quantity…',
  noComponent: 'Open a component first.',
  changeTitle: (customer: string | null, subscription: number) =>
    `Change quantities: ${customer === null ? '' : `${customer}, `}subscription ${subscription}`,
  changeText: 'Creates a draft for preview. Nothing is sent yet.',
  componentId: 'Component ID',
  now: (quantity: number | string | null) => `Current quantity: ${quantityOr(quantity)}`,
  quantity: 'New quantity',
  quantityHint: 'For on/off components, 1 is on and 0 is off.',
  quantityWrong: 'Enter a component ID and a quantity that is a whole number, for example 12.',
  memo: 'Memo',
  memoHint: 'Recorded with the change at the service.',
  upgrade: 'Upgrade proration',
  downgrade: 'Downgrade proration',
  siteDefault: 'Site default',
  addComponent: 'Add component of this subscription',
  removeComponent: (component: string) => `Remove ${component}`,
  togetherText: 'Changes are sent in one request, so their charges form one payment.',
  makeDraft: 'Preview',

  import: 'Import changes…',
  importTitle: 'Import changes from CSV',
  importText:
    'The first line must contain the column names subscription_id, component_id and quantity. Optional columns are memo, proration_upgrade_scheme and proration_downgrade_scheme. Nothing is sent yet.',
  chooseFile: 'Choose file…',
  chosenFile: (name: string) => `Selected file: ${name}`,
  together: 'Send all changes of a subscription in one request, so their charges form one payment',
  noFile: 'Choose a file first.',

  detail: (title: string) => `Draft: ${title}`,
  facts: { site: 'Site', made: 'Created', checked: 'Checked with the service', requests: 'Requests' },
  by: (user: string) => `by ${user}`,
  notChecked: 'Not checked yet. Showing local data.',
  separately: 'One per change',
  inOne: 'One per subscription',
  sent: ({ ready, outcomes }: AllocationDraft) =>
    `${formatCount(outcomes.applied)} of ${formatCountWithNoun(ready, 'change')} applied.`,
  summary: ({ ready, count, upgrades, downgrades }: AllocationDraft) =>
    `${formatCount(ready)} of ${formatCountWithNoun(count, 'change')} ready to send: ${formatCountWithNoun(upgrades, 'upgrade')}, ${formatCountWithNoun(downgrades, 'downgrade')}.`,
  quantitiesChanged: (changed: number) =>
    `${formatCountWithNoun(changed, 'quantity has', 'quantities have')} changed since this draft was created. The preview shows the current quantities.`,
  undecided: (count: number) =>
    `${formatCountWithNoun(count, 'change needs', 'changes need')} your decision. The response was lost and the allocation history does not show whether ${count === 1 ? 'the change was' : 'they were'} applied. Open ${count === 1 ? 'it' : 'each change'} to review the evidence.`,
  check: 'Check with the service',
  send: 'Send…',
  pause: 'Pause',
  resume: 'Resume',
  stop: 'Stop',
  report: 'Report',
  reportCsv: 'Export as CSV',
  reportJson: 'Export as JSON',
  redraft: 'Create draft from failed changes',
  discard: 'Discard draft',
  nothingReady: 'This draft has no change that can be sent.',
  progress: 'Sent',
  filterLabel: 'Filter changes',
  filters: { all: 'All', ready: 'Ready to send', problems: 'Excluded', wrong: 'Failed' },
  changesGrid: 'Changes in this draft',
  changeOne: 'change',
  noChanges: 'No matching changes',
  changeColumns: {
    ...commonFieldTitles,
    line: 'Line',
    component: 'Component',
    now: 'Current',
    quantity: 'New',
    direction: 'Direction',
    scheme: 'Scheme',
    outcome: 'Outcome',
  },

  sendTitle: (site: string) => `Send changes to ${site}?`,
  sendLead: (count: number, site: string) =>
    `${formatCountWithNoun(count, 'quantity', 'quantities')} will be changed at the billing service of ${site}. A change cannot be undone, only followed by another change.`,
  sendEach:
    'Each change is sent only if the allocation history still shows the current quantity listed here. If the response is lost, Tieout looks for the change in the history.',
  line: ({
    component_name,
    component_id,
    customer_name,
    subscription_id,
    current_quantity,
    quantity,
  }: AllocationChange) =>
    `${component_name ?? 'Component'} (component ${component_id}) of ${customer_name ?? 'subscription'} (subscription ${subscription_id}): ${quantityOr(current_quantity)} → ${quantityOr(quantity)}`,
  more: (count: number) => `and ${formatCountWithNoun(count, 'more', 'more')}, listed in the draft`,
  stopAfter: 'Stop after this many failures',
  stopAfterWrong: 'Enter a whole number of at least 1.',
  confirm: (count: number, site: string) =>
    `Change ${formatCountWithNoun(count, 'quantity', 'quantities')} on ${site}`,

  changeOf: (change: AllocationChange) =>
    `Component ${change.component_id ?? '–'} of subscription ${change.subscription_id ?? '–'}`,
  changeFacts: {
    change: 'Change',
    scheme: 'Scheme',
    memo: 'Memo',
    outcome: 'Outcome',
    recorded: 'Recorded by the service',
    raw: 'Text in the file',
    file: 'Line in the file',
  },
  quantityChanged: (drafted: number | string | null, now: number | string | null) =>
    `The quantity was ${quantityOr(drafted)} when this change was drafted. It is now ${quantityOr(now)}.`,
  evidence: 'Evidence',
  before: 'History before sending',
  after: 'Current history',
  historySummary: (entries: number, equal: number, quantity: number | string | null) =>
    `${formatCountWithNoun(entries, 'entry', 'entries')}, ${formatCount(equal)} identical to this change, quantity ${quantityOr(quantity)}`,
  entries: 'New history entries since then',
  entry: (from: number | string, to: number | string, memo: string | null) =>
    `${formatQuantity(from)} → ${formatQuantity(to)}${memo === null || memo === '' ? ', no memo' : `, “${memo}”`}`,
  requests: 'Requests',
  request: (number: number, state: string) => `Request ${number}: ${state.toLowerCase()}`,
  requestStates: allocationRequestStateLabels,
  verifyAgain: 'Check history again',
  markApplied: 'Mark as applied',
  markNotApplied: 'Mark as not applied',
  reason: 'Evidence for your decision',
  reasonMissing: 'Enter the evidence for your decision first.',
  close: 'Close',

  allocation: (component: number) => `Change to component ${component}`,
  allocationFacts: {
    ...commonFieldTitles,
    change: 'Change',
    recorded: 'Recorded',
    chain: 'Continuity',
    money: 'Charges and credits',
  },
  chained: 'The previous quantity matches the preceding entry.',
  firstStored: 'First stored entry',
  broken:
    'The previous quantity differs from the preceding entry. The quantity changed in between without a record.',
  noScheme: 'None (not changed within a period)',
  noWebhook: 'None stored',
  noMoney: 'None found',
  webhookLink: (id: number) => `Webhook ${id}`,
  statementLink: (id: number) => `Statement ${id}`,
  offline: 'Send the draft when the service can be reached.',
};
