import { CircleDot, ListChecks } from 'lucide-react';
import type { GroupFilter, GroupStatus } from '../../../contract/index.ts';
import { type FilterField, some, those } from '../../filters/fields.ts';
import { words } from '../../words/words.ts';
import { ruleTitle } from '../looks.tsx';

type Field = FilterField<GroupFilter>;

const { filters, statuses } = words.matching;
const statusNames = Object.keys(statuses) as GroupStatus[];

/** What matches are filtered by. */
export function groupFields(passes: readonly { readonly rule: string; readonly title: string }[]): Field[] {
  const rules = [...passes.map(({ rule }) => rule), 'user-rule', 'manual', 'write-off'];
  return [
    {
      kind: 'choice',
      id: 'status',
      label: filters.status,
      icon: CircleDot,
      several: true,
      options: statusNames.map((value) => ({ value, label: statuses[value] })),
      chosen: ({ status = [] }) => status,
      choose: (filter, values) => ({ ...filter, status: those(statusNames, values) }),
    },
    {
      kind: 'choice',
      id: 'rule',
      label: filters.rule,
      icon: ListChecks,
      several: true,
      options: [...new Set(rules)].map((value) => ({ value, label: ruleTitle(value, passes) })),
      chosen: ({ rule = [] }) => rule,
      choose: (filter, values) => ({ ...filter, rule: some(values) }),
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
