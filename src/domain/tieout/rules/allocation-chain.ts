import { sameQuantity } from '../../ledger/index.ts';
import type { Account } from '../account.ts';
import { allocationEvidence, type Finding, makeFinding } from '../finding.ts';
import type { AllocationRecord, ComponentRecord } from '../record.ts';
import type { Rule } from '../rule.ts';
import { moment } from '../words.ts';

export const allocationChain: Rule = {
  id: 'allocation-chain',
  version: 1,
  title: 'Quantity changed without a record',
  severity: 'warning',
  scope: 'allocation',
  explanation:
    'Each allocation says which quantity it replaced, and that must be the quantity the allocation before it put into effect. Where it is ' +
    'not, the quantity was changed in between and no record was kept; an old way of changing it is known to leave none. Find out ' +
    'from when the customer had the other quantity, as charges depend on it.',
  remedy: null,
  check,
};

function check(account: Account): Finding[] {
  return account.record.components.flatMap((component) =>
    component.complete ? breaksOf(component).map((each) => finding(account, component, each)) : [],
  );
}

type Pair = readonly [before: AllocationRecord, after: AllocationRecord];

function breaksOf({ allocations }: ComponentRecord): Pair[] {
  const breaks: Pair[] = [];
  const ordered = inEffectOrder(allocations);
  for (let at = 1; at < ordered.length; at++) {
    const [before, after] = [ordered[at - 1] as AllocationRecord, ordered[at] as AllocationRecord];
    if (!sameQuantity(before.quantity, after.previous_quantity)) breaks.push([before, after]);
  }
  return breaks;
}

/** Those of one second in the order in which one continues the other, wherever there is such an order. */
function inEffectOrder(allocations: readonly AllocationRecord[]): readonly AllocationRecord[] {
  const ordered: AllocationRecord[] = [];
  for (let from = 0; from < allocations.length; ) {
    const { timestamp } = allocations[from] as AllocationRecord;
    let to = from + 1;
    while (allocations[to]?.timestamp === timestamp) to++;
    const left = allocations.slice(from, to);
    while (left.length > 0) {
      const last = ordered.at(-1);
      const next = last ? left.findIndex((each) => sameQuantity(each.previous_quantity, last.quantity)) : 0;
      ordered.push(...left.splice(Math.max(next, 0), 1));
    }
    from = to;
  }
  return ordered;
}

function finding(account: Account, component: ComponentRecord, [before, after]: Pair): Finding {
  const { component_id, name } = component;
  const which = name === null ? `component ${component_id}` : `${name} (component ${component_id})`;
  return makeFinding(allocationChain, {
    subject: { subscription_id: account.id, component_id },
    identity: [
      `subscription ${account.id}`,
      `component ${component_id}`,
      `${after.timestamp}.${after.ordinal}`,
    ],
    message:
      `The allocation of ${which} on ${moment(after.timestamp)} says it replaced ${after.previous_quantity}, but the one before it, ` +
      `on ${moment(before.timestamp)}, had set ${before.quantity}.`,
    evidence: [
      allocationEvidence(account.id, component_id, before),
      allocationEvidence(account.id, component_id, after),
    ],
  });
}
