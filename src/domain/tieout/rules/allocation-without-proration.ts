import { compareQuantities, effectRowOf } from '../../ledger/index.ts';
import type { Account } from '../account.ts';
import { AT_ONCE } from '../chain.ts';
import { allocationEvidence, type Finding, makeFinding, statementEvidence } from '../finding.ts';
import type { Footing } from '../footing.ts';
import { isHeldAt } from '../held.ts';
import type { AllocationRecord, ComponentRecord, TransactionRecord } from '../record.ts';
import type { Look, Rule } from '../rule.ts';
import { moment } from '../words.ts';

export const allocationWithoutProration: Rule = {
  id: 'allocation-without-proration',
  version: 1,
  title: 'Prorated change without charge or credit',
  severity: 'warning',
  scope: 'allocation',
  explanation:
    'The quantity was changed in the middle of a period under a scheme that charges, or credits, the rest of the period. No such charge ' +
    'or credit stands on the statements at that time, although the component costs something. The customer was billed too ' +
    'little, or is owed a credit.',
  remedy: null,
  check,
};

/** So close to the end of a period the prorated amount may round to nothing. */
const TAIL = 24 * 3_600_000;

function check(account: Account, { now }: Look): Finding[] {
  const found: Finding[] = [];
  for (const component of account.record.components) {
    if (component.allocations.every((each) => schemeOf(each) === null)) continue;
    const about = transactionsOf(account, component);
    if (!about.some(costsSomething)) continue;
    const taken = new Set<TransactionRecord>();
    for (const allocation of component.allocations) {
      const scheme = schemeOf(allocation);
      if (scheme === null) continue;
      const match = about.find((each) => !taken.has(each) && isNear(each, allocation));
      if (match) taken.add(match);
      else if (allocation.timestamp <= now && mustShow(account, allocation))
        found.push(finding(account, component, allocation, scheme));
    }
  }
  return found;
}

/** The scheme that asked for a charge or credit; null where none did. */
function schemeOf(allocation: AllocationRecord): string | null {
  const change = compareQuantities(allocation.quantity, allocation.previous_quantity);
  if (change === 0) return null;
  const { proration_upgrade_scheme: upgrade, proration_downgrade_scheme: downgrade } = allocation;
  const scheme = change > 0 ? upgrade : downgrade;
  return scheme === null || scheme === '' || scheme.startsWith('no-') ? null : scheme;
}

/** Kinds of charges and credits that are never for a change of a quantity. */
const otherKinds = new Set(['baseline', 'trial', 'initial', 'tax', 'coupon', 'referral', 'one_time']);

/**
 * Charges and credits that are, or may be, for this component: by its id where transactions carry one, else by its name in the
 * memo, else any that may be for a component at all.
 */
function transactionsOf(account: Account, { component_id, name }: ComponentRecord): TransactionRecord[] {
  const all = account.footings.flatMap(({ transactions, effects }) =>
    transactions.filter(
      (each, at) =>
        effects[at] !== 0 &&
        each.transaction_type !== 'payment' &&
        each.kind !== 'tax' &&
        each.success !== false,
    ),
  );
  if (all.some((each) => each.component_id !== null)) {
    return all.filter((each) => each.component_id === component_id);
  }
  const possible = all.filter(({ kind }) => !otherKinds.has(kind ?? ''));
  const named = name === null ? [] : possible.filter(({ memo }) => memo?.includes(name));
  return named.length > 0 ? named : possible;
}

const costsSomething = ({ amount_in_cents }: TransactionRecord): boolean => amount_in_cents !== 0;

function isNear({ created_at }: TransactionRecord, { timestamp }: AllocationRecord): boolean {
  return created_at === null || Math.abs(created_at - timestamp) <= AT_ONCE;
}

/** Whether a charge or credit would be seen: the statement of that time is held, runs on for a day, and follows a paid time. */
function mustShow(account: Account, { timestamp }: AllocationRecord): boolean {
  const { footings, record } = account;
  if (!record.statements_complete || !isHeldAt(account, timestamp)) return false;
  return (
    footings.some(({ statement }) => covers(statement, timestamp)) &&
    footings.some((footing) => hasRecurringCharge(footing, timestamp))
  );
}

function covers({ opened_at, closed_at }: Footing['statement'], moment: number): boolean {
  return opened_at !== null && opened_at <= moment && (closed_at ?? Number.POSITIVE_INFINITY) - TAIL > moment;
}

const singleKinds = new Set(['trial', 'initial', 'one_time', 'delay_capture', 'tax']);

/** Nothing is prorated in a trial; before a period was charged for, this may be one. */
function hasRecurringCharge({ transactions, effects }: Footing, before: number): boolean {
  return transactions.some((each, at) => {
    const charged = effectRowOf(each)?.direction === 'raises' && (effects[at] ?? 0) > 0;
    return charged && (each.created_at ?? 0) < before && !singleKinds.has(each.kind ?? '');
  });
}

function finding(
  account: Account,
  component: ComponentRecord,
  allocation: AllocationRecord,
  scheme: string,
): Finding {
  const { component_id, name } = component;
  const which = name === null ? `component ${component_id}` : `${name} (component ${component_id})`;
  const upgrade = compareQuantities(allocation.quantity, allocation.previous_quantity) > 0;
  const statement = account.footings.find((footing) => covers(footing.statement, allocation.timestamp));
  return makeFinding(allocationWithoutProration, {
    subject: {
      subscription_id: account.id,
      component_id,
      ...(statement && { statement_id: statement.statement.id }),
    },
    identity: [
      `subscription ${account.id}`,
      `component ${component_id}`,
      `${allocation.timestamp}.${allocation.ordinal}`,
    ],
    message:
      `The quantity of ${which} went from ${allocation.previous_quantity} to ${allocation.quantity} on ` +
      `${moment(allocation.timestamp)} under ${scheme}, but no ${upgrade ? 'charge' : 'credit'} for it stands on the statements.`,
    evidence: [
      allocationEvidence(account.id, component_id, allocation),
      ...(statement ? [statementEvidence(statement.statement)] : []),
    ],
  });
}
