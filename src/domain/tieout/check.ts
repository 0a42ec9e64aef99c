import { accountOf } from './account.ts';
import type { Finding } from './finding.ts';
import type { AcrossGroup, SubscriptionRecord } from './record.ts';
import type { CheckContext, Look } from './rule.ts';
import { figureRules, rules } from './rules/index.ts';

/**
 * Applies every rule that is switched on to one subscription. Needs the whole of it, as a rule may look at any of its rows;
 * holds nothing of it afterwards.
 */
export function checkSubscription(record: SubscriptionRecord, context: CheckContext): Finding[] {
  const on = (rule: string): boolean => context.disabled?.has(rule) !== true;
  const account = accountOf(record, context.now, on);
  const suspects = new Set<number>();
  const look: Look = {
    now: context.now,
    log: context.log ?? null,
    habits: context.habits ?? new Map(),
    verify: context.verify ?? null,
    on,
    suspects,
  };
  const found: Finding[] = [];
  for (const [place, rule] of rules.entries()) {
    if (rule.check === undefined || !on(rule.id)) continue;
    const findings = rule.check(account, look);
    if (findings.length === 0) continue;
    found.push(...findings);
    if (place < figureRules.length) for (const finding of findings) addSuspects(suspects, finding);
  }
  return found;
}

function addSuspects(suspects: Set<number>, { rows }: Finding): void {
  for (const row of rows) {
    if (row.kind === 'statement') suspects.add(row.id);
    else if (row.kind === 'transaction' || row.kind === 'event') suspects.add(row.statement_id);
  }
}

/**
 * Applies the rules that look across subscriptions to the groups an index brings together: transactions with one id on
 * statements of several subscriptions, and payments of several subscriptions with one gateway identifier. One group is held
 * at a time.
 */
export function* checkAcross(
  groups: Iterable<AcrossGroup>,
  context: Pick<CheckContext, 'disabled'> = {},
): Generator<Finding, void> {
  const across = rules.filter(({ id, checkGroup }) => checkGroup !== undefined && !context.disabled?.has(id));
  for (const group of groups) for (const rule of across) yield* rule.checkGroup?.(group) ?? [];
}
