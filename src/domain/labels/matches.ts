import type { MatchPassId } from '../matching/index.ts';

/** Labels of matches, shared by the window, the command line and the reports. */
export const matchStatusLabels = {
  confirmed: 'Confirmed',
  suggested: 'Suggested',
  ambiguous: 'Ambiguous',
  declined: 'Declined',
  undone: 'Undone',
} as const;

export const matchActionLabels = {
  made: 'Matched',
  confirmed: 'Confirmed',
  declined: 'Declined',
  undone: 'Undone',
  proposed: 'Suggested',
} as const;

export const matchRunStateLabels = {
  running: 'Running',
  done: 'Complete',
  canceled: 'Canceled',
  undone: 'Undone',
} as const;

/** Title and explanation of the pass or the kind of decision that created a match. */
export type MatchOriginLabel = { readonly title: string; readonly explanation: string };

const passLabels: Readonly<Record<MatchPassId, MatchOriginLabel>> = {
  'gateway-id': {
    title: 'Gateway transaction ID',
    explanation: 'The line and the payment have the same gateway transaction ID.',
  },
  'payout-reference': {
    title: 'Payout report reference',
    explanation:
      'A payout report line names the payment or its statement, or a bank deposit names the payout it belongs to.',
  },
  'id-in-text': {
    title: 'ID found in the text of the line',
    explanation: 'The line’s text contains the ID of the payment or of its statement.',
  },
  'user-rule': { title: 'Match rule', explanation: 'One of your match rules assigned the line.' },
  payee: {
    title: 'Payee, amount and date',
    explanation: 'The line contains the customer’s name or number, and the amounts agree.',
  },
  'amount-date': {
    title: 'Amount and date',
    explanation: 'The line names neither a customer nor a payment. Amount and date are compared.',
  },
  'payout-days': {
    title: 'Total of full days',
    explanation: 'All payments of one or more full days add up exactly to the deposit.',
  },
  sum: {
    title: 'Sum of several payments',
    explanation: 'Several payments near the date add up to the line. A sum is never confirmed automatically.',
  },
  reversal: {
    title: 'Refunds and chargebacks',
    explanation: 'The refund or chargeback refers to the payment it reverses.',
  },
};

const originLabels = new Map<string, MatchOriginLabel>([
  ...Object.entries(passLabels),
  ['manual', { title: 'Manual match', explanation: 'A person matched these items.' }],
  [
    'write-off',
    { title: 'Manual category', explanation: 'A person assigned the remaining amount to a category.' },
  ],
]);

/** Returns the label of a match's origin: a pass, `manual` or `write-off`. The title of an unknown origin is its code. */
export const getMatchOriginLabel = (origin: string): MatchOriginLabel =>
  originLabels.get(origin) ?? { title: origin, explanation: '' };
