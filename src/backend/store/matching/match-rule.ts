import type { MatchRule, RuleAction, RuleCondition } from '../../../contract/index.ts';
import { formatTimestamp } from '../../shared/timestamps.ts';
import { prepared, type ReadableDb, type WritableDb } from '../sqlite/connection.ts';

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

const select = `SELECT id, position, version, title, enabled, conditions, action, changed_at, changed_by,
    (SELECT count(*) FROM match_group WHERE user_rule = match_rule.id AND status = 'confirmed') AS groups
  FROM match_rule WHERE removed = 0`;

/** Returns the rules in order. */
export function listRules(db: ReadableDb): MatchRule[] {
  return prepared<StoredRule>(db, `${select} ORDER BY position, id`).all().map(shown);
}

export function ruleById(db: ReadableDb, id: number): MatchRule | null {
  const stored = prepared<StoredRule>(db, `${select} AND id = ?`).get(id);
  return stored === undefined ? null : shown(stored);
}

/** Adds a rule after the others. Returns its id. */
export function addRule(db: WritableDb, rule: RuleContent, by: { at: number; user: string }): number {
  return Number(
    prepared(
      db,
      `INSERT INTO match_rule (position, version, title, enabled, conditions, action, changed_at, changed_by)
       VALUES ((SELECT coalesce(max(position), 0) + 1 FROM match_rule), 1, ?, ?, ?, ?, ?, ?)`,
    ).run(
      rule.title,
      Number(rule.enabled),
      JSON.stringify(rule.conditions),
      JSON.stringify(rule.action),
      by.at,
      by.user,
    ).lastInsertRowid,
  );
}

export function changeRule(
  db: WritableDb,
  id: number,
  rule: RuleContent,
  by: { at: number; user: string },
): void {
  prepared(
    db,
    `UPDATE match_rule SET version = version + 1, title = ?, enabled = ?, conditions = ?, action = ?, changed_at = ?,
       changed_by = ? WHERE id = ?`,
  ).run(
    rule.title,
    Number(rule.enabled),
    JSON.stringify(rule.conditions),
    JSON.stringify(rule.action),
    by.at,
    by.user,
    id,
  );
}

/** Marks a rule as deleted. It is kept for the matches that it made. */
export function removeRule(db: WritableDb, id: number, by: { at: number; user: string }): void {
  prepared(db, 'UPDATE match_rule SET removed = 1, changed_at = ?, changed_by = ? WHERE id = ?').run(
    by.at,
    by.user,
    id,
  );
}

export function orderRules(db: WritableDb, ids: readonly number[]): void {
  for (const [at, id] of ids.entries()) {
    prepared(db, 'UPDATE match_rule SET position = ? WHERE id = ?').run(at + 1, id);
  }
}

/** Returns when a rule was last changed or deleted (UTC milliseconds), or 0 if there never was one. */
export function rulesChangedAt(db: ReadableDb): number {
  return prepared<number>(db, 'SELECT coalesce(max(changed_at), 0) FROM match_rule').pluck().get() ?? 0;
}

function shown(stored: StoredRule): MatchRule {
  return {
    ...stored,
    enabled: stored.enabled === 1,
    conditions: JSON.parse(stored.conditions) as RuleCondition[],
    action: JSON.parse(stored.action) as RuleAction,
    changed_at: formatTimestamp(stored.changed_at),
  };
}
