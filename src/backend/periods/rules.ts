import type { PeriodSeal } from '../../contract/index.ts';
import { rules } from '../../domain/tieout/index.ts';
import { PASSES_VERSION, passes } from '../matching/passes.ts';
import { switchedOff } from '../store/checks/rule-switch.ts';
import type { ReadableDb } from '../store/database.ts';
import { listRules } from '../store/matching/match-rule.ts';

/** The rules in force, as a seal names them. */
export function rulesSealed(books: ReadableDb): PeriodSeal['rules'] {
  const off = new Set(switchedOff(books).map(({ rule }) => rule));
  return [
    ...rules.map(({ id, version }) => ({ of: 'check' as const, rule: id, version, enabled: !off.has(id) })),
    ...passes.map(({ rule }) => ({ of: 'match' as const, rule, version: PASSES_VERSION, enabled: true })),
    ...listRules(books).map(({ id, title, version, enabled }) => ({
      of: 'user' as const,
      rule: `${id} ${title}`,
      version,
      enabled,
    })),
  ];
}
