import { explainFootingDifference, type FootingExplanation } from './footing-explanation.ts';
import {
  findDuplicatePaymentsByGatewayId,
  findSameDayDuplicatePayments,
  indexTransactionsById,
  listDuplicateTransactions,
  listSuccessfulPayments,
} from './payment-index.ts';
import { findEventsWithoutPayment } from './record-coverage.ts';
import { compareStatements, type StatementBoundary, sortStatementsByPeriod } from './statement-chain.ts';
import { footStatement, type StatementFooting } from './statement-footing.ts';
import { findSettlementWithoutPayment } from './statement-settlement.ts';
import type { SubscriptionFigures } from './subscription-figures.ts';
import type { SubscriptionRecord } from './subscription-record.ts';

/** Figures of a subscription, with the explanations that several rules share. */
export interface SubscriptionAnalysis extends SubscriptionFigures {
  /** Per statement: causes of its footing difference that other rules report. */
  readonly explanations: ReadonlyMap<StatementFooting, readonly FootingExplanation[]>;
}

/** Computes the figures that the rules check. `now` is the service's time in UTC milliseconds. */
export function analyzeSubscription(
  record: SubscriptionRecord,
  now: number,
  isRuleEnabled: (rule: string) => boolean = () => true,
): SubscriptionAnalysis {
  const footings = sortStatementsByPeriod(record.statements, now).map(footStatement);
  const boundaries: StatementBoundary[] = [];
  for (let index = 1; index < footings.length; index++) {
    const [before, after] = [footings[index - 1] as StatementFooting, footings[index] as StatementFooting];
    boundaries.push(compareStatements(before, after, now));
  }
  const { transactionsById, repeatedTransactions } = indexTransactionsById(footings);
  const payments = listSuccessfulPayments(transactionsById);
  const figures: SubscriptionFigures = {
    record,
    id: record.subscription_id,
    footings,
    boundaries,
    transactionsById,
    repeatedTransactions,
    payments,
    gatewayIdDuplicates: findDuplicatePaymentsByGatewayId(payments),
    sameDayDuplicates: findSameDayDuplicatePayments(payments),
  };
  return { ...figures, explanations: explainDifferences(figures, isRuleEnabled) };
}

function explainDifferences(figures: SubscriptionFigures, isRuleEnabled: (rule: string) => boolean) {
  const explained = new Map<StatementFooting, readonly FootingExplanation[]>();
  for (const [index, footing] of figures.footings.entries()) {
    if (footing.difference === null || footing.difference === 0) continue;
    const explanations = explainFootingDifference(footing, {
      isRuleEnabled,
      isOpeningWrong: figures.boundaries[index - 1]?.wrongBalance === 'opening',
      duplicates: listDuplicateTransactions(figures, footing),
      isPaymentMissing: findEventsWithoutPayment(figures, footing.statement).length > 0,
      isUnpaid: findSettlementWithoutPayment(figures, index) !== null,
    });
    if (explanations.length > 0) explained.set(footing, explanations);
  }
  return explained;
}

/** Returns the part of the footing difference that no other rule explains, in cents. */
export function computeUnexplainedDifference(
  analysis: SubscriptionAnalysis,
  footing: StatementFooting,
): number {
  const explanations = analysis.explanations.get(footing) ?? [];
  return explanations.reduce((remaining, { cents }) => remaining - cents, footing.difference ?? 0);
}
