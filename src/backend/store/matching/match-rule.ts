import type { MatchRule, RuleAction, RuleCondition } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { prepare, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow, updateRow } from '../sqlite/write-row.ts';

export interface RuleContent {
  title: string;
  enabled: boolean;
  conditions: readonly RuleCondition[];
  action: RuleAction;
}

interface StoredRule {
  id: number;
  position: number;
  version: number;
  title: string;
  enabled: number;
  conditions: string;
  action: string;
  changed_at: number;
  changed_by: string;
  groups: number;
}

const ruleQuery = `SELECT id, position, version, title, enabled, conditions, action, changed_at, changed_by,
    (SELECT count(*) FROM match_group WHERE user_rule = match_rule.id AND status = 'confirmed') AS groups
  FROM match_rule WHERE removed = 0`;

/** Returns the rules in order. */
export function listMatchRules(db: ReadableDb): MatchRule[] {
  return select.rows<StoredRule>(db, `${ruleQuery} ORDER BY position, id`).map(toMatchRule);
}

export function findMatchRule(db: ReadableDb, id: number): MatchRule | null {
  const stored = prepare<StoredRule>(db, `${ruleQuery} AND id = ?`).get(id);
  return stored === undefined ? null : toMatchRule(stored);
}

/** Adds a rule after the others. Returns its id. */
export function addRule(
  db: WritableDb,
  rule: RuleContent,
  { at, user }: { at: number; user: string },
): number {
  const position = select.value<number>(db, 'SELECT coalesce(max(position), 0) + 1 FROM match_rule');
  return insertRow(db, 'match_rule', {
    position,
    version: 1,
    ...toStoredContent(rule),
    changed_at: at,
    changed_by: user,
  });
}

const toStoredContent = ({ title, enabled, conditions, action }: RuleContent) => ({
  title,
  enabled: Number(enabled),
  conditions: JSON.stringify(conditions),
  action: JSON.stringify(action),
});

export function changeRule(
  db: WritableDb,
  id: number,
  rule: RuleContent,
  { at, user }: { at: number; user: string },
): void {
  const sql = `UPDATE match_rule SET version = version + 1, title = ?, enabled = ?, conditions = ?, action = ?,
    changed_at = ?, changed_by = ? WHERE id = ?`;
  prepare(db, sql).run(...Object.values(toStoredContent(rule)), at, user, id);
}

/** Marks a rule as deleted. Its matches still refer to it. */
export function removeRule(db: WritableDb, id: number, by: { at: number; user: string }): void {
  updateRow(db, 'match_rule', { removed: 1, changed_at: by.at, changed_by: by.user }, { id });
}

export function orderRules(db: WritableDb, ids: readonly number[]): void {
  for (const [at, id] of ids.entries()) {
    prepare(db, 'UPDATE match_rule SET position = ? WHERE id = ?').run(at + 1, id);
  }
}

/** Returns when a rule was last changed or deleted (UTC milliseconds), or 0 if there never was one. */
export function findLastRuleChange(db: ReadableDb): number {
  return select.value<number>(db, 'SELECT coalesce(max(changed_at), 0) FROM match_rule') ?? 0;
}

function toMatchRule(stored: StoredRule): MatchRule {
  return {
    ...stored,
    enabled: stored.enabled === 1,
    conditions: JSON.parse(stored.conditions) as RuleCondition[],
    action: JSON.parse(stored.action) as RuleAction,
    changed_at: formatTimestamp(stored.changed_at),
  };
}
