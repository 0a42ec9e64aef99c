import { isSameQuantity } from '../../ledger/index.ts';
import type { RuleDefinition } from '../analysis/check-rule.ts';
import { type FindingDraft, toAllocationEvidence, toAllocationIdentity } from '../analysis/finding.ts';
import { formatInstant } from '../analysis/finding-message-text.ts';
import type { SubscriptionAnalysis } from '../analysis/subscription-analysis.ts';
import type { AllocationRecord, ComponentRecord } from '../analysis/subscription-record.ts';

export const allocationChainRule: RuleDefinition = {
  id: 'allocation-chain',
  version: 1,
  title: 'Quantity changed without an allocation',
  severity: 'warning',
  scope: 'allocation',
  explanation:
    'Each allocation records the quantity that it replaced, which must equal the quantity of the allocation ' +
    'before it. If it does not, the quantity was changed in between without an allocation. Find out since when ' +
    'the customer had the other quantity, because charges depend on it.',
  check: (analysis) =>
    analysis.record.components.flatMap((component) =>
      component.complete
        ? findBreaks(component).map((each) => createGapFinding(analysis, component, each))
        : [],
    ),
};

type ConsecutiveAllocations = readonly [before: AllocationRecord, after: AllocationRecord];

function findBreaks({ allocations }: ComponentRecord): ConsecutiveAllocations[] {
  const breaks: ConsecutiveAllocations[] = [];
  const ordered = sortByEffect(allocations);
  for (let at = 1; at < ordered.length; at++) {
    const [before, after] = [ordered[at - 1] as AllocationRecord, ordered[at] as AllocationRecord];
    if (!isSameQuantity(before.quantity, after.previous_quantity)) breaks.push([before, after]);
  }
  return breaks;
}

/** Sorts allocations of the same second so that each one continues from the previous quantity, if possible. */
function sortByEffect(allocations: readonly AllocationRecord[]): readonly AllocationRecord[] {
  const ordered: AllocationRecord[] = [];
  for (let from = 0; from < allocations.length; ) {
    const { timestamp } = allocations[from] as AllocationRecord;
    let to = from + 1;
    while (allocations[to]?.timestamp === timestamp) to++;
    const remaining = allocations.slice(from, to);
    while (remaining.length > 0) {
      const last = ordered.at(-1);
      const next = last
        ? remaining.findIndex((each) => isSameQuantity(each.previous_quantity, last.quantity))
        : 0;
      ordered.push(...remaining.splice(Math.max(next, 0), 1));
    }
    from = to;
  }
  return ordered;
}

function createGapFinding(
  analysis: SubscriptionAnalysis,
  component: ComponentRecord,
  [before, after]: ConsecutiveAllocations,
): FindingDraft {
  const { component_id, name } = component;
  const componentText = name === null ? `component ${component_id}` : `${name} (component ${component_id})`;
  return {
    subject: { subscription_id: analysis.id, component_id },
    identity: toAllocationIdentity({ subscription_id: analysis.id, component_id }, after),
    message:
      `The allocation of ${componentText} on ${formatInstant(after.timestamp)} says it replaced ${after.previous_quantity}, but the previous allocation, ` +
      `on ${formatInstant(before.timestamp)}, set ${before.quantity}.`,
    evidence: [
      toAllocationEvidence(analysis.id, component_id, before),
      toAllocationEvidence(analysis.id, component_id, after),
    ],
  };
}
