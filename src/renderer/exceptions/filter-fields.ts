import { CalendarDays, CircleDot, ListChecks, OctagonAlert, UserRound } from 'lucide-react';
import type { CheckRule, ExceptionFilter, Outputs } from '../../contract/index.ts';
import { type FilterField, nonEmpty, pickNames } from '../filters/filter-field.ts';
import { formatMonth } from '../texts/moments.ts';
import { texts } from '../texts/texts.ts';

type Field = FilterField<ExceptionFilter>;

const { filters, statuses, severities } = texts.exceptions;
const statusNames = ['open', 'accepted', 'closed'] as const;
const severityNames = ['error', 'warning', 'notice'] as const;
/** Filter value for unassigned exceptions. It cannot equal a person's name, because names are trimmed. */
const NOBODY = ' ';

interface FilterOptions {
  readonly rules: readonly CheckRule[] | undefined;
  readonly assignees: Outputs['exceptions']['assignees'] | undefined;
  readonly months: readonly { readonly period: string; readonly open: number }[] | undefined;
}

/** Returns the filter fields of the exceptions screen. */
export function exceptionFilterFields({ rules = [], assignees = [], months = [] }: FilterOptions): Field[] {
  return [
    {
      kind: 'choice',
      id: 'status',
      label: filters.status,
      icon: CircleDot,
      allowsMultiple: true,
      options: statusNames.map((value) => ({ value, label: statuses[value] })),
      chosen: (filter) => filter.status ?? [],
      choose: (filter, values) => ({ ...filter, status: pickNames(statusNames, values) }),
    },
    {
      kind: 'choice',
      id: 'rule',
      label: filters.rule,
      icon: ListChecks,
      allowsMultiple: true,
      options: rules.map(({ rule, title, open }) => ({ value: rule, label: title, count: open })),
      chosen: (filter) => filter.rule ?? [],
      choose: (filter, values) => ({ ...filter, rule: nonEmpty(values) }),
    },
    {
      kind: 'choice',
      id: 'severity',
      label: filters.severity,
      icon: OctagonAlert,
      allowsMultiple: true,
      options: severityNames.map((value) => ({ value, label: severities[value] })),
      chosen: (filter) => filter.severity ?? [],
      choose: (filter, values) => ({ ...filter, severity: pickNames(severityNames, values) }),
    },
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
    {
      kind: 'choice',
      id: 'period',
      label: filters.period,
      icon: CalendarDays,
      options: months.map(({ period, open }) => ({ value: period, label: formatMonth(period), count: open })),
      chosen: (filter) => (filter.period ? [filter.period] : []),
      choose: (filter, [period]) => ({ ...filter, period }),
    },
    idField('subscription_id', filters.subscription),
    idField('statement_id', filters.statement),
    idField('webhook_id', filters.webhook),
  ];
}

function idField(key: 'subscription_id' | 'statement_id' | 'webhook_id', label: string): Field {
  return {
    kind: 'fixed',
    id: key,
    label,
    text: (filter) => (filter[key] === undefined ? null : String(filter[key])),
    clear: (filter) => ({ ...filter, [key]: undefined }),
  };
}
