import { ArrowLeftRight, CircleDot, Landmark, Tags } from 'lucide-react';
import type { BankAccount, BankLineFilter, MatchState } from '../../contract/index.ts';
import {
  createAmountRangeField,
  createChoiceField,
  createDayRangeFilterField,
  createFigureFilterField,
  createMultiChoiceField,
  createReadOnlyField,
  type FilterField,
  toUndefinedIfEmpty,
} from '../filters/filter-field.ts';
import { texts } from '../texts/texts.ts';

type Field = FilterField<BankLineFilter>;

const { filters, states, kinds, flows } = texts.bank;
const stateNames = Object.keys(states) as MatchState[];
const kindNames = Object.keys(kinds) as (keyof typeof kinds)[];

export function createBankLineFilterFields(accounts: readonly BankAccount[]): Field[] {
  const days = accounts.flatMap(({ first_on, last_on }) =>
    first_on === null || last_on === null ? [] : [first_on, last_on],
  );
  days.sort();
  return [
    {
      kind: 'choice',
      id: 'account',
      label: filters.account,
      icon: Landmark,
      allowsMultiple: true,
      options: accounts.map(({ id, name, lines }) => ({ value: String(id), label: name, count: lines })),
      chosen: ({ account = [] }) => account.map(String),
      choose: (filter, values) => ({ ...filter, account: toUndefinedIfEmpty(values.map(Number)) }),
    },
    createMultiChoiceField('state', {
      label: filters.state,
      icon: CircleDot,
      options: stateNames.map((value) => ({ value, label: states[value] })),
    }),
    createChoiceField('flow', {
      label: filters.flow,
      icon: ArrowLeftRight,
      options: (['in', 'out'] as const).map((value) => ({ value, label: flows[value] })),
    }),
    createMultiChoiceField('kind', {
      label: filters.kind,
      icon: Tags,
      options: kindNames.map((value) => ({ value, label: kinds[value] })),
    }),
    createDayRangeFilterField('booked', filters.booked, {
      first: days[0] ?? null,
      last: days.at(-1) ?? null,
    }),
    createAmountRangeField(),
    createReadOnlyField('import', filters.import),
    createReadOnlyField('payout_id', filters.payout),
    createFigureFilterField(),
  ];
}
