import { CalendarDays, CircleDot, ListChecks, OctagonAlert, UserRound } from 'lucide-react';
import type { CheckRule, ExceptionFilter, Outputs } from '../../contract/index.ts';
import { type FilterField, some, those } from '../filters/fields.ts';
import { monthText } from '../words/moments.ts';
import { words } from '../words/words.ts';

type Field = FilterField<ExceptionFilter>;

const { filters, statuses, severities } = words.exceptions;
const statusNames = ['open', 'accepted', 'closed'] as const;
const severityNames = ['error', 'warning', 'notice'] as const;
/** No name is like it: names are trimmed. */
const NOBODY = ' ';

interface Known {
  readonly rules: readonly CheckRule[] | undefined;
  readonly assignees: Outputs['exceptions']['assignees'] | undefined;
  readonly months: readonly { readonly period: string; readonly open: number }[] | undefined;
}

/** What exceptions are filtered by. */
export function exceptionFields({ rules = [], assignees = [], months = [] }: Known): Field[] {
  return [
    {
      kind: 'choice',
      id: 'status',
      label: filters.status,
      icon: CircleDot,
      several: true,
      options: statusNames.map((value) => ({ value, label: statuses[value] })),
      chosen: (filter) => filter.status ?? [],
      choose: (filter, values) => ({ ...filter, status: those(statusNames, values) }),
    },
    {
      kind: 'choice',
      id: 'rule',
      label: filters.rule,
      icon: ListChecks,
      several: true,
      options: rules.map(({ rule, title, open }) => ({ value: rule, label: title, count: open })),
      chosen: (filter) => filter.rule ?? [],
      choose: (filter, values) => ({ ...filter, rule: some(values) }),
    },
    {
      kind: 'choice',
      id: 'severity',
      label: filters.severity,
      icon: OctagonAlert,
      several: true,
      options: severityNames.map((value) => ({ value, label: severities[value] })),
      chosen: (filter) => filter.severity ?? [],
      choose: (filter, values) => ({ ...filter, severity: those(severityNames, values) }),
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
      options: months.map(({ period, open }) => ({ value: period, label: monthText(period), count: open })),
      chosen: (filter) => (filter.period ? [filter.period] : []),
      choose: (filter, [period]) => ({ ...filter, period }),
    },
    fixed('subscription_id', filters.subscription),
    fixed('statement_id', filters.statement),
    fixed('webhook_id', filters.webhook),
  ];
}

function fixed(key: 'subscription_id' | 'statement_id' | 'webhook_id', label: string): Field {
  return {
    kind: 'fixed',
    id: key,
    label,
    text: (filter) => (filter[key] === undefined ? null : String(filter[key])),
    clear: (filter) => ({ ...filter, [key]: undefined }),
  };
}
