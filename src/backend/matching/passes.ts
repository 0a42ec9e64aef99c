import { type RuleId, ruleIds } from '../../domain/matching/index.ts';

/** Counts the changes of the passes, so that what one version matched is told from what another did. */
export const PASSES_VERSION = 2;

interface Words {
  readonly title: string;
  readonly explanation: string;
}

const words: Readonly<Record<RuleId, Words>> = {
  'gateway-id': {
    title: 'Gateway transaction id',
    explanation: 'The line and the payment name the same transaction of the payment gateway.',
  },
  'payout-reference': {
    title: 'Reference in a payout report',
    explanation:
      'A line of a payout report names the payment or its statement; or a deposit at the bank names the payout it is.',
  },
  'id-in-text': {
    title: 'Id in the text',
    explanation: 'The text of the line names the payment or its statement, and the amounts agree.',
  },
  'user-rule': {
    title: 'Your rules',
    explanation: 'A rule you wrote takes the line.',
  },
  payee: {
    title: 'Payee, amount and date',
    explanation:
      'The line names the customer, the amounts agree, and the money arrived within the usual days.',
  },
  'amount-date': {
    title: 'Amount and date',
    explanation: 'The amounts agree within the usual days, and nothing else could be meant on either side.',
  },
  'payout-days': {
    title: 'Days of a processor',
    explanation: 'The payments of whole days add up to the deposit exactly.',
  },
  sum: {
    title: 'Sum of several',
    explanation:
      'A few payments near the day add up to the line. Other sets may as well, so it is only a suggestion.',
  },
  reversal: {
    title: 'Refunds and chargebacks',
    explanation: 'Money given back finds the payment it takes back.',
  },
};

const byHand = new Map<string, Words>([
  ['manual', { title: 'By hand', explanation: 'A person put it together.' }],
  ['write-off', { title: 'Put down to a category', explanation: 'A person said what the amount is.' }],
]);

/** The passes in their order. */
export const passes = ruleIds.map((rule) => ({ rule, ...words[rule] }));

/** What a rule is called, and what it does; its own name where this version does not know it. */
export function wordsOf(rule: string): Words {
  return passes.find((pass) => pass.rule === rule) ?? byHand.get(rule) ?? { title: rule, explanation: '' };
}
