import type { StatementFooting } from './statement-footing.ts';
import type { SubscriptionFigures } from './subscription-figures.ts';
import type { EventRecord, TransactionRecord } from './subscription-record.ts';

/** Name of the habit of sites on which one subscription pays for others. */
export const CONSOLIDATED_BILLING = 'consolidated billing';

/** Minimum number of statements from which links to others are usual or unusual. Chosen by judgment. */
const MIN_USUAL_COUNT = 2;

/** Returns true if a transaction or event names a subscription other than its own. */
export const namesOtherSubscription = (
  { id }: Pick<SubscriptionFigures, 'id'>,
  { subscription_id }: Pick<TransactionRecord | EventRecord, 'subscription_id'>,
): boolean => subscription_id !== null && id !== null && subscription_id !== id;

/** Returns true if the subscription's statements often name other subscriptions, as with consolidated billing. */
export const isBilledWithOthers = (figures: SubscriptionFigures): boolean =>
  countLinkedStatements(figures) >= MIN_USUAL_COUNT;

/**
 * Returns true if enough statements name only their own subscription, so that a link to another one is unusual. With
 * fewer statements, the subscription may be billed together with others.
 */
export const isBilledAlone = (figures: SubscriptionFigures): boolean =>
  !isBilledWithOthers(figures) &&
  figures.footings.filter(({ transactions }) => transactions.length > 0).length -
    countLinkedStatements(figures) >=
    MIN_USUAL_COUNT;

const countLinkedStatements = (figures: SubscriptionFigures): number =>
  figures.footings.filter((footing) => hasLinkToOther(figures, footing)).length;

const hasLinkToOther = (figures: SubscriptionFigures, { transactions }: StatementFooting): boolean =>
  transactions.some(
    (each) => namesOtherSubscription(figures, each) || isLinkedElsewhere(figures, each.payment_id),
  );

const isLinkedElsewhere = (
  { record, transactionsById }: SubscriptionFigures,
  payment_id: number | null,
): boolean =>
  payment_id !== null && record.transactions_elsewhere.has(payment_id) && !transactionsById.has(payment_id);
