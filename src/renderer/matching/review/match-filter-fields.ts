import { CircleDot, ListChecks } from 'lucide-react';
import type { MatchGroupFilter } from '../../../contract/index.ts';
import { getMatchOriginLabel } from '../../../domain/labels/matches.ts';
import {
  createAmountRangeField,
  createDayRangeFilterField,
  createMultiChoiceField,
  createReadOnlyField,
  type FilterField,
} from '../../filters/filter-field.ts';
import { texts } from '../../texts/texts.ts';

type Field = FilterField<MatchGroupFilter>;

const { filters, statuses } = texts.matching;

export function getMatchFilterFields(passes: readonly { readonly rule: string }[]): Field[] {
  const rules = [...passes.map(({ rule }) => rule), 'user-rule', 'manual', 'write-off'];
  return [
    createMultiChoiceField('status', {
      label: filters.status,
      icon: CircleDot,
      options: Object.entries(statuses).map(([value, label]) => ({ value, label })),
    }),
    createMultiChoiceField('rule', {
      label: filters.rule,
      icon: ListChecks,
      options: [...new Set(rules)].map((value) => ({ value, label: getMatchOriginLabel(value).title })),
    }),
    createDayRangeFilterField('days', filters.days),
    createAmountRangeField(),
    createReadOnlyField('run', filters.run),
  ];
}
