import { compareQuantities, findTypeEffect } from '../../ledger/index.ts';
import type { RuleDefinition } from '../analysis/check-rule.ts';
import {
  type FindingDraft,
  toAllocationEvidence,
  toAllocationIdentity,
  toStatementEvidence,
} from '../analysis/finding.ts';
import { formatInstant } from '../analysis/finding-message-text.ts';
import { isCoveredByStatements } from '../analysis/record-coverage.ts';
import { SAME_TIME_TOLERANCE_MS } from '../analysis/statement-chain.ts';
import type { StatementFooting } from '../analysis/statement-footing.ts';
import type { SubscriptionAnalysis } from '../analysis/subscription-analysis.ts';
import type {
  AllocationRecord,
  ComponentRecord,
  TransactionRecord,
} from '../analysis/subscription-record.ts';

export const allocationWithoutProrationRule: RuleDefinition = {
  id: 'allocation-without-proration',
  version: 1,
  title: 'Prorated change without charge or credit',
  severity: 'warning',
  scope: 'allocation',
  explanation:
    'The quantity was changed during a period under a proration scheme that charges or credits for the rest of the period. The ' +
    'statements show no such charge or credit at that time, although the component has a price. The customer was ' +
    'billed too little or is owed a credit.',
  check: (analysis, { now }) =>
    analysis.record.components.flatMap((component) => checkComponent(analysis, component, now)),
};

/** Time before the end of a period in which changes are not checked, because the prorated amount may round to zero. */
const UNCHECKED_END_MS = 24 * 3_600_000;

function checkComponent(analysis: SubscriptionAnalysis, component: ComponentRecord, now: number) {
  if (component.allocations.every((each) => requiredScheme(each) === null)) return [];
  const related = findRelatedTransactions(analysis, component);
  if (!related.some(hasAmount)) return [];
  const findings: FindingDraft[] = [];
  const assigned = new Set<TransactionRecord>();
  for (const allocation of component.allocations) {
    const scheme = requiredScheme(allocation);
    if (scheme === null) continue;
    const match = related.find((each) => !assigned.has(each) && isNear(each, allocation));
    if (match) assigned.add(match);
    else if (allocation.timestamp <= now && isChargeExpected(analysis, allocation))
      findings.push(createMissingChargeFinding(analysis, component, allocation, scheme));
  }
  return findings;
}

/** Returns the proration scheme that requires a charge or credit; null if none does. */
function requiredScheme(allocation: AllocationRecord): string | null {
  const change = compareQuantities(allocation.quantity, allocation.previous_quantity);
  if (change === 0) return null;
  const { proration_upgrade_scheme: upgrade, proration_downgrade_scheme: downgrade } = allocation;
  const scheme = change > 0 ? upgrade : downgrade;
  return scheme === null || scheme === '' || scheme.startsWith('no-') ? null : scheme;
}

/** Transaction kinds that a quantity change never causes. */
const UNRELATED_KINDS = new Set(['baseline', 'trial', 'initial', 'tax', 'coupon', 'referral', 'one_time']);

/**
 * Returns the charges and credits that may be for a component: by component id if the transactions have one, then by
 * the component's name in the memo, then all that may be for any component.
 */
function findRelatedTransactions(analysis: SubscriptionAnalysis, { component_id, name }: ComponentRecord) {
  const all = analysis.footings.flatMap(({ transactions, effects }) =>
    transactions.filter(
      (each, at) =>
        effects[at] !== 0 &&
        each.transaction_type !== 'payment' &&
        each.kind !== 'tax' &&
        each.success !== false,
    ),
  );
  if (all.some((each) => each.component_id !== null))
    return all.filter((each) => each.component_id === component_id);
  const possible = all.filter(({ kind }) => !UNRELATED_KINDS.has(kind ?? ''));
  const namedInMemo = name === null ? [] : possible.filter(({ memo }) => memo?.includes(name));
  return namedInMemo.length > 0 ? namedInMemo : possible;
}

const hasAmount = ({ amount_in_cents }: TransactionRecord): boolean => amount_in_cents !== 0;

const isNear = ({ created_at }: TransactionRecord, { timestamp }: AllocationRecord): boolean =>
  created_at === null || Math.abs(created_at - timestamp) <= SAME_TIME_TOLERANCE_MS;

/**
 * Returns true if a charge or credit for the change should be stored: its statement is stored, continues for at least
 * a day, and contains an earlier recurring charge.
 */
function isChargeExpected(analysis: SubscriptionAnalysis, { timestamp }: AllocationRecord): boolean {
  const { footings, record } = analysis;
  if (!record.statements_complete || !isCoveredByStatements(analysis, timestamp)) return false;
  return (
    footings.some(({ statement }) => isWithinStatement(statement, timestamp)) &&
    footings.some((footing) => hasRecurringCharge(footing, timestamp))
  );
}

function isWithinStatement({ opened_at, closed_at }: StatementFooting['statement'], moment: number): boolean {
  return (
    opened_at !== null &&
    opened_at <= moment &&
    (closed_at ?? Number.POSITIVE_INFINITY) - UNCHECKED_END_MS > moment
  );
}

const NON_RECURRING_KINDS = new Set(['trial', 'initial', 'one_time', 'delay_capture', 'tax']);

/** Returns true if there was an earlier recurring charge. Without one, this may be a trial period without proration. */
function hasRecurringCharge({ transactions, effects }: StatementFooting, before: number): boolean {
  return transactions.some((each, at) => {
    const charged = findTypeEffect(each)?.direction === 'raises' && (effects[at] ?? 0) > 0;
    return charged && (each.created_at ?? 0) < before && !NON_RECURRING_KINDS.has(each.kind ?? '');
  });
}

function createMissingChargeFinding(
  analysis: SubscriptionAnalysis,
  component: ComponentRecord,
  allocation: AllocationRecord,
  scheme: string,
): FindingDraft {
  const { component_id, name } = component;
  const componentText = name === null ? `component ${component_id}` : `${name} (component ${component_id})`;
  const upgrade = compareQuantities(allocation.quantity, allocation.previous_quantity) > 0;
  const statement = analysis.footings.find((footing) =>
    isWithinStatement(footing.statement, allocation.timestamp),
  );
  return {
    subject: {
      subscription_id: analysis.id,
      component_id,
      ...(statement && { statement_id: statement.statement.id }),
    },
    identity: toAllocationIdentity({ subscription_id: analysis.id, component_id }, allocation),
    message:
      `The quantity of ${componentText} changed from ${allocation.previous_quantity} to ${allocation.quantity} on ` +
      `${formatInstant(allocation.timestamp)} under ${scheme}, but the statements show no ${upgrade ? 'charge' : 'credit'} for it.`,
    evidence: [
      toAllocationEvidence(analysis.id, component_id, allocation),
      ...(statement ? [toStatementEvidence(statement.statement)] : []),
    ],
  };
}
