import type { RuleDefinition } from '../analysis/check-rule.ts';
import { findingCauses } from '../causes/index.ts';
import { allocationChainRule } from './allocation-chain.ts';
import { allocationWithoutProrationRule } from './allocation-without-proration.ts';
import { amountSignRule } from './amount-sign.ts';
import { balanceCarriedForwardRule } from './balance-carried-forward.ts';
import { datesInOrderRule } from './dates-in-order.ts';
import { duplicatePaymentRule } from './duplicate-payment.ts';
import { duplicateWebhookRule } from './duplicate-webhook.ts';
import { eventWithoutTransactionRule } from './event-without-transaction.ts';
import { failedPaymentCountedRule } from './failed-payment-counted.ts';
import { futurePaymentRule } from './future-payment.ts';
import { changedCustomerRule } from './links/changed-customer.ts';
import { chargeSettlementRule } from './links/charge-settlement.ts';
import { currencyInChainRule } from './links/currency-in-chain.ts';
import { otherSubscriptionRule } from './links/other-subscription.ts';
import { refundsExceedPaymentRule, refundWithoutPaymentRule } from './links/refunds.ts';
import {
  paymentWithoutEventRule,
  paymentWithoutWebhookRule,
  statementWithoutWebhookRule,
} from './missing-events-and-webhooks.ts';
import { paidButUnsettledRule } from './paid-but-unsettled.ts';
import { periodGapRule, periodOverlapRule } from './period-gap-and-overlap.ts';
import { repeatedPaymentRule } from './repeated-payment.ts';
import { runningBalancesRule } from './running-balances.ts';
import { settledWithoutPaymentRule } from './settled-without-payment.ts';
import { statementFootsRule } from './statement-foots.ts';
import { statementTotalRule } from './statement-total.ts';
import { pdfAgreesRule, textAgreesRule } from './text-and-pdf-agree.ts';
import { transactionInTwoStatementsRule } from './transaction-in-two-statements.ts';
import { unknownTransactionTypeRule } from './unknown-transaction-type.ts';
import { webhookDisagreesRule } from './webhook-disagrees.ts';
import { webhookNotAcceptedRule } from './webhook-not-accepted.ts';
import { webhookSignatureRule } from './webhook-signature.ts';

/** Rules about the figures of statements. A statement with such a finding is not compared with its prints or webhooks. */
export const statementFigureRules: readonly RuleDefinition[] = [
  statementFootsRule,
  runningBalancesRule,
  balanceCarriedForwardRule,
  failedPaymentCountedRule,
  duplicatePaymentRule,
  repeatedPaymentRule,
  transactionInTwoStatementsRule,
  eventWithoutTransactionRule,
  settledWithoutPaymentRule,
  unknownTransactionTypeRule,
  amountSignRule,
];

const otherRules: readonly RuleDefinition[] = [
  statementTotalRule,
  otherSubscriptionRule,
  changedCustomerRule,
  currencyInChainRule,
  refundWithoutPaymentRule,
  refundsExceedPaymentRule,
  chargeSettlementRule,
  paidButUnsettledRule,
  futurePaymentRule,
  periodGapRule,
  periodOverlapRule,
  textAgreesRule,
  pdfAgreesRule,
  paymentWithoutEventRule,
  paymentWithoutWebhookRule,
  statementWithoutWebhookRule,
  webhookNotAcceptedRule,
  duplicateWebhookRule,
  webhookSignatureRule,
  webhookDisagreesRule,
  allocationChainRule,
  allocationWithoutProrationRule,
  datesInOrderRule,
];

/** Every cause and rule, in the order in which findings are displayed. */
export const checkRules: readonly RuleDefinition[] = [
  ...findingCauses,
  ...statementFigureRules,
  ...otherRules,
];

export const findCheckRule = (id: string): RuleDefinition | null =>
  checkRules.find((rule) => rule.id === id) ?? null;
