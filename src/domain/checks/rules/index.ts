import type { RuleDefinition } from '../analysis/check-rule.ts';
import { allocationChain } from './allocation-chain.ts';
import { allocationWithoutProration } from './allocation-without-proration.ts';
import { balanceCarriedForward } from './balance-carried-forward.ts';
import { datesInOrder } from './dates-in-order.ts';
import { duplicatePayment } from './duplicate-payment.ts';
import { duplicateWebhook } from './duplicate-webhook.ts';
import { eventWithoutTransaction } from './event-without-transaction.ts';
import { failedPaymentCounted } from './failed-payment-counted.ts';
import { futurePayment } from './future-payment.ts';
import { paidButUnsettled } from './paid-but-unsettled.ts';
import { paymentWithoutEvent } from './payment-without-event.ts';
import { paymentWithoutWebhook } from './payment-without-webhook.ts';
import { pdfAgrees } from './pdf-agrees.ts';
import { periodGap } from './period-gap.ts';
import { periodOverlap } from './period-overlap.ts';
import { repeatedPayment } from './repeated-payment.ts';
import { runningBalances } from './running-balances.ts';
import { settledWithoutPayment } from './settled-without-payment.ts';
import { statementFoots } from './statement-foots.ts';
import { statementWithoutWebhook } from './statement-without-webhook.ts';
import { textAgrees } from './text-agrees.ts';
import { transactionInTwoStatements } from './transaction-in-two-statements.ts';
import { unknownTransactionType } from './unknown-transaction-type.ts';
import { webhookDisagrees } from './webhook-disagrees.ts';
import { webhookNotAccepted } from './webhook-not-accepted.ts';
import { webhookSignature } from './webhook-signature.ts';

/** Rules about the figures of statements. A statement that they report is not compared with prints and webhooks. */
export const figureRules: readonly RuleDefinition[] = [
  statementFoots,
  runningBalances,
  balanceCarriedForward,
  failedPaymentCounted,
  duplicatePayment,
  repeatedPayment,
  transactionInTwoStatements,
  eventWithoutTransaction,
  settledWithoutPayment,
  unknownTransactionType,
];

const otherRules: readonly RuleDefinition[] = [
  paidButUnsettled,
  futurePayment,
  periodGap,
  periodOverlap,
  textAgrees,
  pdfAgrees,
  paymentWithoutEvent,
  paymentWithoutWebhook,
  statementWithoutWebhook,
  webhookNotAccepted,
  duplicateWebhook,
  webhookSignature,
  webhookDisagrees,
  allocationChain,
  allocationWithoutProration,
  datesInOrder,
];

/** Every rule, in the order in which findings are shown. */
export const checkRules: readonly RuleDefinition[] = [...figureRules, ...otherRules];

export function findRule(id: string): RuleDefinition | null {
  return checkRules.find((rule) => rule.id === id) ?? null;
}
