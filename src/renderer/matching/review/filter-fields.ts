import { CircleDot, ListChecks } from 'lucide-react';
import type { GroupFilter, GroupStatus } from '../../../contract/index.ts';
import { matchOriginLabel } from '../../../domain/labels/matches.ts';
import { type FilterField, nonEmpty, pickNames } from '../../filters/filter-field.ts';
import { texts } from '../../texts/texts.ts';

type Field = FilterField<GroupFilter>;

const { filters, statuses } = texts.matching;
const statusNames = Object.keys(statuses) as GroupStatus[];

/** Returns the filter fields of the list of matches to review. */
export function matchFilterFields(passes: readonly { readonly rule: string }[]): Field[] {
  const rules = [...passes.map(({ rule }) => rule), 'user-rule', 'manual', 'write-off'];
  return [
    {
      kind: 'choice',
      id: 'status',
      label: filters.status,
      icon: CircleDot,
      allowsMultiple: true,
      options: statusNames.map((value) => ({ value, label: statuses[value] })),
      chosen: ({ status = [] }) => status,
      choose: (filter, values) => ({ ...filter, status: pickNames(statusNames, values) }),
    },
    {
      kind: 'choice',
      id: 'rule',
      label: filters.rule,
      icon: ListChecks,
      allowsMultiple: true,
      options: [...new Set(rules)].map((value) => ({ value, label: matchOriginLabel(value).title })),
      chosen: ({ rule = [] }) => rule,
      choose: (filter, values) => ({ ...filter, rule: nonEmpty(values) }),
    },
    {
      kind: 'days',
      id: 'days',
      label: filters.days,
      read: ({ since, until }) => ({ since, until }),
      write: (filter, { since, until }) => ({ ...filter, since, until }),
    },
    {
      kind: 'fixed',
      id: 'run',
      label: filters.run,
      text: ({ run }) => (run === undefined ? null : String(run)),
      clear: (filter) => ({ ...filter, run: undefined }),
    },
  ];
}
