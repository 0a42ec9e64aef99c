import { CalendarDays, CircleDot, ListChecks, OctagonAlert, UserRound } from 'lucide-react';
import type { CheckRule, ContractOutputs, ExceptionFilter } from '../../contract/index.ts';
import {
  createChoiceField,
  createMultiChoiceField,
  createReadOnlyField,
  type FilterField,
} from '../filters/filter-field.ts';
import { formatMonth } from '../texts/date-times.ts';
import { texts } from '../texts/texts.ts';

type Field = FilterField<ExceptionFilter>;

const { filters, statuses, severities } = texts.exceptions;
const statusNames = ['open', 'accepted', 'closed'] as const;
const severityNames = ['error', 'warning', 'notice'] as const;
/** Filter value for unassigned exceptions. It cannot equal a person's name, because names are trimmed. */
const NOBODY = ' ';

interface FilterOptions {
  readonly rules: readonly CheckRule[] | undefined;
  readonly assignees: ContractOutputs['exceptions']['assignees'] | undefined;
  readonly months: readonly { readonly period: string; readonly open: number }[] | undefined;
}

export function createExceptionFilterFields({
  rules = [],
  assignees = [],
  months = [],
}: FilterOptions): Field[] {
  return [
    createMultiChoiceField('status', {
      label: filters.status,
      icon: CircleDot,
      options: statusNames.map((value) => ({ value, label: statuses[value] })),
    }),
    createMultiChoiceField('rule', {
      label: filters.rule,
      icon: ListChecks,
      options: rules.map(({ rule, title, open }) => ({ value: rule, label: title, count: open })),
    }),
    createMultiChoiceField('severity', {
      label: filters.severity,
      icon: OctagonAlert,
      options: severityNames.map((value) => ({ value, label: severities[value] })),
    }),
    {
      kind: 'choice',
      id: 'assigned',
      label: filters.assigned,
      icon: UserRound,
      options: [
        { value: NOBODY, label: filters.nobody },
        ...assignees.map(({ assigned, open }) => ({ value: assigned, label: assigned, count: open })),
      ],
      chosen: (filter) => (filter.assigned === undefined ? [] : [filter.assigned ?? NOBODY]),
      choose: (filter, [value]) => ({ ...filter, assigned: value === NOBODY ? null : value }),
    },
    createChoiceField('period', {
      label: filters.period,
      icon: CalendarDays,
      options: months.map(({ period, open }) => ({ value: period, label: formatMonth(period), count: open })),
    }),
    createReadOnlyField('subscription_id', filters.subscription),
    createReadOnlyField('statement_id', filters.statement),
    createReadOnlyField('webhook_id', filters.webhook),
  ];
}
