import type { ClosedFigures } from '../../contract/index.ts';
import { checkRules } from '../../domain/checks/index.ts';
import { PASSES_VERSION, passes } from '../matching/matching-passes.ts';
import { switchedOff } from '../store/checks/rule-switch.ts';
import { listRules } from '../store/matching/match-rule.ts';
import type { ReadableDb } from '../store/sqlite/connection.ts';

/** Returns the rules in force, as recorded in the closed figures. */
export function listRulesInForce(books: ReadableDb): ClosedFigures['rules'] {
  const off = new Set(switchedOff(books).map(({ rule }) => rule));
  return [
    ...checkRules.map(({ id, version }) => ({
      of: 'check' as const,
      rule: id,
      version,
      enabled: !off.has(id),
    })),
    ...passes.map(({ rule }) => ({ of: 'match' as const, rule, version: PASSES_VERSION, enabled: true })),
    ...listRules(books).map(({ id, title, version, enabled }) => ({
      of: 'user' as const,
      rule: `${id} ${title}`,
      version,
      enabled,
    })),
  ];
}
