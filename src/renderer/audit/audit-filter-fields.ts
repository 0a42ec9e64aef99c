import { Layers, UserRound } from 'lucide-react';
import type { AuditFilter, ContractOutputs } from '../../contract/index.ts';
import { getAuditAreaLabel } from '../../domain/labels/audit-entries.ts';
import {
  createDayRangeFilterField,
  createMultiChoiceField,
  createReadOnlyField,
  type FilterField,
} from '../filters/filter-field.ts';
import { texts } from '../texts/texts.ts';

const { filters } = texts.audit;

/** Returns the filters of the audit log: areas, users and days. */
export function createAuditFilterFields(
  facets: ContractOutputs['audit']['facets'] | undefined,
): FilterField<AuditFilter>[] {
  const { areas = [], users = [] } = facets ?? {};
  return [
    createMultiChoiceField('area', {
      label: filters.area,
      icon: Layers,
      options: areas
        .map(({ area, entries }) => ({ value: area, label: getAuditAreaLabel(area), count: entries }))
        .toSorted((a, b) => a.label.localeCompare(b.label)),
    }),
    createMultiChoiceField('user', {
      label: filters.user,
      icon: UserRound,
      options: users.map(({ user, entries }) => ({ value: user, label: user, count: entries })),
    }),
    createDayRangeFilterField('days', filters.days),
    createReadOnlyField('subject', filters.subject),
  ];
}
