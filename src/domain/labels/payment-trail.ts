import type { TrailRecord, TrailStep } from '../../contract/index.ts';
import { getMatchOriginLabel, matchStatusLabels } from './matches.ts';
import { deliveryStateLabels } from './webhooks.ts';

/** Titles of the steps of a payment's trail. */
export const trailStepLabels: Readonly<Record<TrailStep, string>> = {
  charge: 'Charges',
  statement: 'Statement',
  payment: 'Payment',
  webhook: 'Webhooks',
  match: 'Matches',
  payout: 'Payout',
  line: 'Bank lines',
  'ledger-line': 'Ledger lines',
};

/** Sentences for steps without records. */
export const emptyTrailSteps: Readonly<Record<TrailStep, string>> = {
  charge: 'The stored statement has no charges.',
  statement: 'The statement is not stored. Sync to download it.',
  payment: 'The payment is not stored.',
  webhook: 'No stored webhook is about this payment or its statement.',
  match: 'The payment has no match.',
  payout: 'The payment is in no imported payout report.',
  line: 'No bank line is matched to the payment.',
  'ledger-line':
    'No imported ledger line on a cash account has the amount of the bank line and a date within a week.',
};

/** Remark on the ledger lines of a trail. */
export const trailLedgerNote =
  'These ledger lines have the amount of the bank line and a date within a week. That does not prove that they post it.';

/** Returns the detail of a trail record in words: statuses of matches and webhooks get their labels. */
export function describeTrailDetail(step: TrailStep, detail: string): string {
  const labels: Readonly<Record<string, string>> =
    step === 'match' ? matchStatusLabels : step === 'webhook' ? deliveryStateLabels : {};
  return labels[detail] ?? detail;
}

/** Returns the title of a trail record in words. A match is titled by its matching pass. */
export function describeTrailTitle(
  step: TrailStep,
  { id, title }: Pick<TrailRecord, 'id' | 'title'>,
): string {
  return step === 'match' ? getMatchOriginLabel(title).title : title || String(id);
}
