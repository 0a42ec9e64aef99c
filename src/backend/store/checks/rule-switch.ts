import { prepared, type ReadableDb, type WritableDb } from '../database.ts';

/** A rule that is switched off. */
export interface RuleSwitch {
  rule: string;
  /** ms UTC. */
  at: number;
  who: string;
  reason: string;
}

/** The rules that are switched off. */
export function switchedOff(db: ReadableDb): RuleSwitch[] {
  return prepared<RuleSwitch>(db, 'SELECT rule, at, who, reason FROM rule_switch ORDER BY rule').all();
}

export function switchOff(db: WritableDb, { rule, at, who, reason }: RuleSwitch): void {
  prepared(
    db,
    `INSERT INTO rule_switch (rule, at, who, reason) VALUES (?, ?, ?, ?)
     ON CONFLICT (rule) DO UPDATE SET at = excluded.at, who = excluded.who, reason = excluded.reason`,
  ).run(rule, at, who, reason);
}

export function switchOn(db: WritableDb, rule: string): void {
  prepared(db, 'DELETE FROM rule_switch WHERE rule = ?').run(rule);
}
