import { Landmark, PackageCheck } from 'lucide-react';
import type { BankAccount, PayoutFilter } from '../../../contract/index.ts';
import {
  createDayRangeFilterField,
  createFigureFilterField,
  type FilterField,
  toUndefinedIfEmpty,
} from '../../filters/filter-field.ts';
import { texts } from '../../texts/texts.ts';

const text = texts.payouts;
const depositFilters = ['waiting', 'deposited', 'unexplained'] as const;

export function getPayoutFilterFields(
  accounts: readonly BankAccount[],
): readonly FilterField<PayoutFilter>[] {
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
      choose: (filter, values) => ({ ...filter, account: toUndefinedIfEmpty(values.map(Number)) }),
    },
    createDayRangeFilterField('paid', text.filters.paid),
    createFigureFilterField(),
  ];
}
