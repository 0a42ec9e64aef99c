import { ArrowLeftRight } from 'lucide-react';
import type { BankAccount } from '../../contract/index.ts';
import { lineFields } from '../bank/fields.ts';
import type { FilterField } from '../filters/fields.ts';
import { amountText } from '../words/money.ts';
import { words } from '../words/words.ts';
import type { HandFilters } from './handFilters.ts';

const text = words.matching.hand;
const inHand: readonly string[] = ['account', 'flow', 'booked'];

interface OfAmount {
  readonly least_in_cents?: number | undefined;
  readonly most_in_cents?: number | undefined;
}

/** One amount alone, set by “find one of this amount”. */
function amountField<F extends OfAmount>(): FilterField<F> {
  return {
    kind: 'fixed',
    id: 'amount',
    label: text.columns.amount,
    text: ({ most_in_cents }) => (most_in_cents === undefined ? null : amountText(most_in_cents)),
    clear: (filter) => ({ ...filter, least_in_cents: undefined, most_in_cents: undefined }),
  };
}

/** What open lines are narrowed by when matching by hand. */
export function handLineFields(accounts: readonly BankAccount[]): FilterField<HandFilters['lines']>[] {
  return [...lineFields(accounts).filter(({ id }) => inHand.includes(id)), amountField()];
}

/** What open payments are narrowed by. */
export const handPaymentFields: readonly FilterField<HandFilters['payments']>[] = [
  {
    kind: 'choice',
    id: 'kind',
    label: text.kind,
    icon: ArrowLeftRight,
    options: (['payment', 'refund'] as const).map((value) => ({ value, label: text.kinds[value] })),
    chosen: ({ kind = [] }) => kind,
    choose: (filter, [value]) => ({
      ...filter,
      kind: value === 'payment' || value === 'refund' ? [value] : undefined,
    }),
  },
  {
    kind: 'days',
    id: 'paid',
    label: text.paid,
    read: ({ since, until }) => ({ since, until }),
    write: (filter, { since, until }) => ({ ...filter, since, until }),
  },
  amountField(),
];
