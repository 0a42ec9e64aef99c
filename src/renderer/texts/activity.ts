import { activityKindLabels, statementMilestoneLabels } from '../../domain/labels/statements.ts';
import { formatCountWithNoun } from './numbers.ts';

export const activityTexts = {
  detail: (id: number) => `Subscription ${id}`,
  figures: 'Subscription figures',
  balance: 'Balance',
  statements: 'Statements',
  unpaid: (count: number) => `${count} unpaid`,
  openExceptions: 'Open exceptions',
  notAccepted: 'Webhooks not accepted',
  plots: 'Charts',
  balancePlot: 'Balance',
  balanceText: (points: number) =>
    `Balance over time with ${formatCountWithNoun(points, 'change')}. The activity below lists all changes.`,
  quantityText: (name: string, steps: number) =>
    `Quantity of ${name} over time with ${formatCountWithNoun(steps, 'change')}. The activity below lists all changes.`,
  component: (id: number) => `Component ${id}`,
  grid: 'Subscription activity',
  kindsLabel: 'Filter by kind',
  kinds: activityKindLabels,
  columns: { at: 'Time', what: 'Activity', text: 'Details', amount: 'Amount', balance: 'Balance' },
  milestones: statementMilestoneLabels,
  first: 'First stored statement',
  broughtForward: (id: number) => `Balance brought forward from statement ${id}`,
  notBroughtForward: (id: number, amount: string) =>
    `Statement ${id} closed at ${amount}, which was not brought forward`,
  failed: 'failed',
  webhook: (event: string) => `Webhook ${event}`,
  quantities: (from: string, to: string) => `${from} → ${to}`,
  historyGap: 'previous quantity differs from the recorded quantity',
  noneTitle: 'No activity of the selected kinds',
  noneText: 'Select other kinds, or clear the selection to show everything.',
  notStored: 'No records of this subscription are stored.',
  showStatements: 'Statements',
  showWebhooks: 'Webhooks',
  showAllocations: 'Allocations',
};
