import type { RuleDefinition } from '../../analysis/check-rule.ts';
import { findChanges, type ValueChange } from '../../analysis/find-changes.ts';
import { type FindingDraft, type FindingEvidence, toStatementEvidence } from '../../analysis/finding.ts';
import type { StatementFooting } from '../../analysis/statement-footing.ts';
import type { SubscriptionAnalysis } from '../../analysis/subscription-analysis.ts';
import type { CustomerRecord, StatementRecord } from '../../analysis/subscription-record.ts';

export const changedCustomerRule: RuleDefinition = {
  id: 'changed-customer',
  version: 1,
  title: 'Statement names another customer',
  severity: 'warning',
  scope: 'chain',
  explanation:
    'All statements of a subscription belong to one customer. A customer may change their name, organization or ' +
    'address, but not all three at once, and a new name does not change back. If this happens, the statement may ' +
    'belong to another customer. Find out who owes the amount.',
  check: (analysis) =>
    listCustomerChanges(analysis.footings).map((change) => createChangeFinding(analysis, change)),
};

type Customer = CustomerRecord & { readonly id: number | null };

function listCustomerChanges(footings: readonly StatementFooting[]): ValueChange<StatementFooting>[] {
  const complete = findChanges(footings, toCustomer, isOtherCustomer);
  const reported = new Set(complete.flatMap(({ before, after }) => [before, after]));
  const temporary = footings.flatMap((after, at) => {
    const before = footings[at - 1];
    const next = footings[at + 1];
    if (before === undefined || next === undefined || reported.has(after)) return [];
    return isNameTemporary([before, after, next]) ? [{ before, after }] : [];
  });
  return [...complete, ...temporary];
}

/** Returns true if only the middle one of three statements has another name. */
function isNameTemporary(footings: readonly [StatementFooting, StatementFooting, StatementFooting]): boolean {
  const [before, name, next] = footings.map(({ statement }) => statement.customer.name) as [
    string | null,
    string | null,
    string | null,
  ];
  return before === next && areTextsDistinct(before, name);
}

/** Returns the customer of a statement. The id is null if its transactions name none or several. */
function toCustomer({ statement, transactions }: StatementFooting): Customer {
  const ids = new Set(transactions.map(({ customer_id }) => customer_id));
  const [id = null] = ids;
  return { ...statement.customer, id: ids.size === 1 ? id : null };
}

/** Returns true if two customers have different ids or, without ids, no detail in common. */
function isOtherCustomer(one: Customer, other: Customer): boolean {
  if (one.id !== null && other.id !== null && one.id !== other.id) return true;
  return (
    areTextsDistinct(one.name, other.name) &&
    areTextsDistinct(one.address, other.address) &&
    (one.organization === null || one.organization !== other.organization)
  );
}

/** Returns true if two known texts have no word in common. */
function areTextsDistinct(one: string | null, other: string | null): boolean {
  if (one === null || other === null || one === other) return false;
  const words = new Set(listWords(one));
  return !listWords(other).some((word) => words.has(word));
}

const listWords = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

function createChangeFinding(
  analysis: SubscriptionAnalysis,
  { before: { statement: before }, after }: ValueChange<StatementFooting>,
): FindingDraft {
  const { statement } = after;
  return {
    subject: { subscription_id: analysis.id, statement_id: statement.id },
    identity: [`statement ${statement.id}`, `after ${before.id}`],
    message: `Statement ${statement.id} names ${describeCustomer(statement)}, but the previous statement, ${before.id}, names ${describeCustomer(before)}.`,
    evidence: [before, statement].map(toCustomerEvidence),
  };
}

function toCustomerEvidence(statement: StatementRecord): FindingEvidence {
  const { name, organization, address } = statement.customer;
  return { row: toStatementEvidence(statement).row, content: [name, organization, address] };
}

function describeCustomer({ customer: { name, organization }, transactions }: StatementRecord): string {
  const [id = null] = new Set(transactions.map(({ customer_id }) => customer_id));
  const texts = [name, organization, id === null ? null : `customer ${id}`];
  return texts.filter((text) => text !== null).join(', ') || 'no customer';
}
