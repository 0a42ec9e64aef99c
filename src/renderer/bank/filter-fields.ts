import { ArrowLeftRight, CircleDot, Landmark, Tags } from 'lucide-react';
import type { BankAccount, BankLineFilter } from '../../contract/index.ts';
import { createFigureFilterField } from '../filters/figure-field.ts';
import { type FilterField, nonEmpty, pickNames } from '../filters/filter-field.ts';
import { texts } from '../texts/texts.ts';

type Field = FilterField<BankLineFilter>;

const { filters, states, kinds, flows } = texts.bank;
type State = NonNullable<BankLineFilter['state']>[number];
type Kind = NonNullable<BankLineFilter['kind']>[number];

const stateNames = Object.keys(states) as State[];
const kindNames = Object.keys(kinds) as Kind[];

/** Returns the filter fields of the bank screen. */
export function bankLineFilterFields(accounts: readonly BankAccount[]): Field[] {
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
      choose: (filter, values) => ({ ...filter, account: nonEmpty(values.map(Number)) }),
    },
    {
      kind: 'choice',
      id: 'state',
      label: filters.state,
      icon: CircleDot,
      allowsMultiple: true,
      options: stateNames.map((value) => ({ value, label: states[value] })),
      chosen: ({ state = [] }) => state,
      choose: (filter, values) => ({ ...filter, state: pickNames(stateNames, values) }),
    },
    {
      kind: 'choice',
      id: 'flow',
      label: filters.flow,
      icon: ArrowLeftRight,
      options: (['in', 'out'] as const).map((value) => ({ value, label: flows[value] })),
      chosen: ({ flow }) => (flow === undefined ? [] : [flow]),
      choose: (filter, [value]) => ({ ...filter, flow: value as BankLineFilter['flow'] }),
    },
    {
      kind: 'choice',
      id: 'kind',
      label: filters.kind,
      icon: Tags,
      allowsMultiple: true,
      options: kindNames.map((value) => ({ value, label: kinds[value] })),
      chosen: ({ kind = [] }) => kind,
      choose: (filter, values) => ({ ...filter, kind: pickNames(kindNames, values) }),
    },
    {
      kind: 'days',
      id: 'booked',
      label: filters.booked,
      storedDays: { first: days[0] ?? null, last: days.at(-1) ?? null },
      read: ({ since, until }) => ({ since, until }),
      write: (filter, { since, until }) => ({ ...filter, since, until }),
    },
    {
      kind: 'fixed',
      id: 'import',
      label: filters.import,
      text: (filter) => (filter.import === undefined ? null : String(filter.import)),
      clear: (filter) => ({ ...filter, import: undefined }),
    },
    {
      kind: 'fixed',
      id: 'payout',
      label: filters.payout,
      text: ({ payout_id }) => payout_id ?? null,
      clear: (filter) => ({ ...filter, payout_id: undefined }),
    },
    createFigureFilterField(),
  ];
}
