import type { CheckContext, RuleContext } from './analysis/check-rule.ts';
import { createFinding, type Finding } from './analysis/finding.ts';
import { analyzeSubscription } from './analysis/subscription-analysis.ts';
import type { CrossSubscriptionGroup, SubscriptionRecord } from './analysis/subscription-record.ts';
import { groupFindings, type RecordCheck } from './causes/group-findings.ts';
import { checkRules, statementFigureRules } from './rules/index.ts';

/**
 * Applies every enabled rule to one subscription, whose record must be complete. Findings with one cause are combined
 * (see `groupFindings`).
 */
export function checkSubscription(record: SubscriptionRecord, context: CheckContext): readonly Finding[] {
  const isEnabled = (rule: string): boolean => context.disabled?.has(rule) !== true;
  const check = (checked: SubscriptionRecord): RecordCheck => applyRules(checked, context, isEnabled);
  return groupFindings(check(record), check, isEnabled);
}

function applyRules(
  record: SubscriptionRecord,
  context: CheckContext,
  isRuleEnabled: (rule: string) => boolean,
): RecordCheck {
  const analysis = analyzeSubscription(record, context.now, isRuleEnabled);
  const suspectStatements = new Set<number>();
  const ruleContext: RuleContext = {
    now: context.now,
    webhookLog: context.webhookLog ?? null,
    habits: context.habits ?? new Map(),
    verifySignature: context.verifySignature ?? null,
    isRuleEnabled,
    suspectStatements,
  };
  const findings: Finding[] = [];
  for (const rule of singleSubscriptionRules) {
    if (!isRuleEnabled(rule.id)) continue;
    const ruleFindings = rule.check?.(analysis, ruleContext).map((draft) => createFinding(rule, draft)) ?? [];
    findings.push(...ruleFindings);
    if (statementFigureRules.includes(rule))
      for (const each of ruleFindings) addSuspectStatements(suspectStatements, each);
  }
  return { analysis, findings };
}

const singleSubscriptionRules = checkRules.filter(({ check }) => check !== undefined);

function addSuspectStatements(suspects: Set<number>, { rows }: Finding): void {
  for (const row of rows) {
    if (row.kind === 'statement') suspects.add(row.id);
    else if (row.kind === 'transaction' || row.kind === 'event') suspects.add(row.statement_id);
  }
}

/** Applies the rules that compare several subscriptions to groups with a common transaction or gateway id. */
export function* checkSubscriptionGroups(
  groups: Iterable<CrossSubscriptionGroup>,
  context: Pick<CheckContext, 'disabled'> = {},
): Generator<Finding, void> {
  const across = checkRules.filter(
    ({ id, checkGroup }) => checkGroup !== undefined && !context.disabled?.has(id),
  );
  for (const group of groups)
    for (const rule of across)
      for (const draft of rule.checkGroup?.(group) ?? []) yield createFinding(rule, draft);
}
