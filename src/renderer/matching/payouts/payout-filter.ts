import { Landmark, PackageCheck } from 'lucide-react';
import { create } from 'zustand';
import type { BankAccount, Inputs } from '../../../contract/index.ts';
import { createFigureFilterField } from '../../filters/figure-field.ts';
import { type FilterField, nonEmpty } from '../../filters/filter-field.ts';
import { texts } from '../../texts/texts.ts';

export type PayoutFilter = NonNullable<Inputs['match']['payouts']['filter']>;

const text = texts.payouts;
const depositFilters = ['waiting', 'deposited', 'unexplained'] as const;

/** Filter of the payouts list. It is preserved when the user visits other screens. */
export const usePayoutFilter = create<{ readonly filter: PayoutFilter }>(() => ({ filter: {} }));

export function setPayoutFilter(filter: PayoutFilter): void {
  const set = Object.entries(filter).filter(([, value]) => value !== undefined);
  usePayoutFilter.setState({ filter: Object.fromEntries(set) as PayoutFilter });
}

/** Returns the filter fields of the payouts tab. */
export function payoutFields(accounts: readonly BankAccount[]): readonly FilterField<PayoutFilter>[] {
  return [
    {
      kind: 'choice',
      id: 'is',
      label: text.filters.is,
      icon: PackageCheck,
      options: depositFilters.map((value) => ({ value, label: text.is[value] })),
      chosen: ({ is }) => (is === undefined ? [] : [is]),
      choose: (filter, [value]) => ({ ...filter, is: depositFilters.find((known) => known === value) }),
    },
    {
      kind: 'choice',
      id: 'account',
      label: text.filters.account,
      icon: Landmark,
      allowsMultiple: true,
      options: accounts
        .filter(({ kind }) => kind === 'processor')
        .map(({ id, name }) => ({ value: String(id), label: name })),
      chosen: ({ account = [] }) => account.map(String),
      choose: (filter, values) => ({ ...filter, account: nonEmpty(values.map(Number)) }),
    },
    {
      kind: 'days',
      id: 'paid',
      label: text.filters.paid,
      read: ({ since, until }) => ({ since, until }),
      write: (filter, { since, until }) => ({ ...filter, since, until }),
    },
    createFigureFilterField(),
  ];
}
