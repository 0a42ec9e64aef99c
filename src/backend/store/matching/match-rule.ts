import type { MatchRule, RuleAction, RuleCondition } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { prepareSql, type ReadableDb, select, type WritableDb } from '../sqlite/connection.ts';
import { insertRow, updateRow } from '../sqlite/write-row.ts';

export interface MatchRuleContent {
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

/** Returns the match rules in the order in which they apply. */
export function listMatchRules(db: ReadableDb): MatchRule[] {
  return select.rows<StoredRule>(db, `${ruleQuery} ORDER BY position, id`).map(toMatchRule);
}

export function findMatchRule(db: ReadableDb, id: number): MatchRule | null {
  const stored = prepareSql<StoredRule>(db, `${ruleQuery} AND id = ?`).get(id);
  return stored === undefined ? null : toMatchRule(stored);
}

/** Adds a match rule after the existing rules and returns its id. */
export function addMatchRule(
  db: WritableDb,
  rule: MatchRuleContent,
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

const toStoredContent = ({ title, enabled, conditions, action }: MatchRuleContent) => ({
  title,
  enabled: Number(enabled),
  conditions: JSON.stringify(conditions),
  action: JSON.stringify(action),
});

export function updateMatchRule(
  db: WritableDb,
  id: number,
  rule: MatchRuleContent,
  { at, user }: { at: number; user: string },
): void {
  const sql = `UPDATE match_rule SET version = version + 1, title = ?, enabled = ?, conditions = ?, action = ?,
    changed_at = ?, changed_by = ? WHERE id = ?`;
  prepareSql(db, sql).run(...Object.values(toStoredContent(rule)), at, user, id);
}

/** Marks a match rule as deleted, because existing matches still refer to it. */
export function removeMatchRule(db: WritableDb, id: number, by: { at: number; user: string }): void {
  updateRow(db, 'match_rule', { removed: 1, changed_at: by.at, changed_by: by.user }, { id });
}

export function setMatchRuleOrder(db: WritableDb, ids: readonly number[]): void {
  for (const [at, id] of ids.entries()) {
    prepareSql(db, 'UPDATE match_rule SET position = ? WHERE id = ?').run(at + 1, id);
  }
}

/** Returns when any match rule was last changed or deleted (UTC milliseconds), or 0 if there was none. */
export function findLastMatchRuleChange(db: ReadableDb): number {
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
