import { allocationHistoryStateLabels, componentSourceLabels } from '../../domain/labels/allocations.ts';
import { commonFieldTitles } from './common-titles.ts';
import { formatCountWithNoun } from './numbers.ts';

export const allocationTexts = {
  title: 'Allocations',
  grid: 'Subscription components',
  detail: (subscription: number, component: number) =>
    `Component ${component} of subscription ${subscription}`,
  search: 'Search components, customers, IDs',
  columns: {
    ...commonFieldTitles,
    component: 'Component',
    componentId: 'Component ID',
    quantity: 'Quantity',
    allocations: 'Allocations',
    last: 'Last change',
    source: 'First seen in',
    synced: 'Last read',
  },
  states: allocationHistoryStateLabels,
  sources: componentSourceLabels,
  filters: { state: 'Status', subscription: 'Subscription' },
  unnamed: (component: number) => `Component ${component}`,
  historyGrid: 'Allocation history',
  historyColumns: {
    ...commonFieldTitles,
    at: 'Recorded',
    quantity: 'Quantity',
    change: 'Change',
    from: 'Previous quantity',
    relatedRecords: 'Amount and webhook',
  },
  webhook: (delivery: string) => `webhook ${delivery.toLowerCase()}`,
  openChange: 'Open change',
  quantityNow: 'Current quantity',
  plot: 'Quantity over time',
  plotText: (changes: number) =>
    `Shows ${formatCountWithNoun(changes, 'change')}, upgrades marked ▲ and downgrades ▼. The table below lists all changes.`,
  plotPartial: (shown: number) => `Shows the latest ${formatCountWithNoun(shown, 'change')}.`,
  historyGap: 'The previous quantity differs from the preceding entry',
  gap: 'Gap',
  noHistory: 'No allocation history yet',
  waitingText: 'The next sync reads the history.',
  missingText:
    'The service does not know this subscription and component. The component may have been removed there.',
  track: 'Track component…',
  trackTitle: 'Track a component',
  trackText:
    'Tieout finds components in webhooks and statements. Enter a component here if neither mentions it. Its history is read immediately.',
  subscriptionId: 'Subscription ID',
  componentId: 'Component ID',
  wholeNumber: 'Enter the whole number that the service shows as the ID.',
  trackNow: 'Track component',
  tracked: (quantity: string) => `Component tracked. Current quantity: ${quantity}.`,
  showStatements: 'Show statements of this subscription',
  emptyTitle: 'No allocations yet',
  emptyText: 'A sync finds the components of your subscriptions and reads their allocation histories.',
  noneTitle: 'No matching components',
  noneText: 'No component matches this filter.',
};
