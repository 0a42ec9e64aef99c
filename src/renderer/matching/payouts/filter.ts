import { Landmark, PackageCheck } from 'lucide-react';
import { create } from 'zustand';
import type { BankAccount, Inputs } from '../../../contract/index.ts';
import { type FilterField, some } from '../../filters/fields.ts';
import { figureField } from '../../filters/figure-field.ts';
import { words } from '../../words/words.ts';

export type PayoutFilter = NonNullable<Inputs['match']['payouts']['filter']>;

const text = words.payouts;
const standings = ['waiting', 'deposited', 'unexplained'] as const;

/** What the payouts are narrowed to; kept while one looks elsewhere. */
export const usePayoutFilter = create<{ readonly filter: PayoutFilter }>(() => ({ filter: {} }));

export function filterPayouts(filter: PayoutFilter): void {
  const set = Object.entries(filter).filter(([, value]) => value !== undefined);
  usePayoutFilter.setState({ filter: Object.fromEntries(set) as PayoutFilter });
}

export function payoutFields(accounts: readonly BankAccount[]): readonly FilterField<PayoutFilter>[] {
  return [
    {
      kind: 'choice',
      id: 'is',
      label: text.filters.is,
      icon: PackageCheck,
      options: standings.map((value) => ({ value, label: text.is[value] })),
      chosen: ({ is }) => (is === undefined ? [] : [is]),
      choose: (filter, [value]) => ({ ...filter, is: standings.find((known) => known === value) }),
    },
    {
      kind: 'choice',
      id: 'account',
      label: text.filters.account,
      icon: Landmark,
      several: true,
      options: accounts
        .filter(({ kind }) => kind === 'processor')
        .map(({ id, name }) => ({ value: String(id), label: name })),
      chosen: ({ account = [] }) => account.map(String),
      choose: (filter, values) => ({ ...filter, account: some(values.map(Number)) }),
    },
    {
      kind: 'days',
      id: 'paid',
      label: text.filters.paid,
      read: ({ since, until }) => ({ since, until }),
      write: (filter, { since, until }) => ({ ...filter, since, until }),
    },
    figureField(),
  ];
}
