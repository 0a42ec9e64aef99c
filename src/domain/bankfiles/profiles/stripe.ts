import type { BankFileProfile } from '../model/profile.ts';
import { toKindsByText } from './line-kinds-by-text.ts';

/** Stripe's reporting categories and types. A dispute is an adjustment whose description says so. */
const categories = toKindsByText({
  payment: 'charge|payment|charge_failure',
  refund:
    'partial_capture_reversal|refund|payment_refund|payment_failure_refund|payment_reversal|refund_failure',
  chargeback: 'dispute|dispute_reversal|adjustment chargeback*|adjustment dispute*',
  payout: 'payout|payout_reversal|payout_cancel|payout_failure',
  reserve:
    'payout_minimum_balance_hold|payout_minimum_balance_release|risk_reserved_funds|reserve_transaction|reserved_funds|reserve_hold|reserve_release',
  fee: 'fee|stripe_fee|stripe_fx_fee|network_cost|tax|tax_fee|application_fee|platform_earning|platform_earning_refund',
  transfer: 'transfer|transfer_reversal|topup|topup_reversal|advance|advance_funding',
  fx: 'currency_conversion|fx*',
  adjustment: 'adjustment|other_adjustment|contribution',
});

export const stripeProfiles: readonly BankFileProfile[] = [
  /** Stripe's itemized payout reconciliation and balance change reports, with snake-case headers. */
  {
    name: 'stripe-report',
    label: 'Stripe payout reconciliation or balance report, itemized',
    source: 'processor',
    recognized_by: ['balance_transaction_id', 'gross', 'fee', 'net', 'reporting_category', 'currency'],
    columns: {
      booked_on: ['created_utc', 'created', 'available_on_utc', 'available_on'],
      value_on: ['available_on_utc', 'available_on'],
      amount: ['gross'],
      fee: ['fee'],
      net: ['net'],
      currency: ['currency'],
      description: ['description'],
      reference: ['invoice_number', 'invoice_id', 'payment_metadata[order_id]', 'order_id', 'source_id'],
      counterparty: ['customer_name', 'customer_email', 'customer_id'],
      bank_id: ['balance_transaction_id'],
      payout_id: ['automatic_payout_id', 'payout_id'],
      paid_on:
        'automatic_payout_effective_at_utc|automatic_payout_effective_at|payout_expected_arrival_date|effective_at_utc|effective_at'.split(
          '|',
        ),
      gateway_transaction_id: ['charge_id', 'payment_intent_id', 'source_id'],
      kind: ['reporting_category'],
      foreign_amount: ['customer_facing_amount'],
      foreign_currency: ['customer_facing_currency'],
    },
    date_order: 'ymd',
    decimal_mark: '.',
    kinds: categories,
    idle_statuses: [],
  },
  /** Balance transactions exported from Stripe's dashboard. */
  {
    name: 'stripe-balance',
    label: 'Stripe balance history (dashboard export)',
    source: 'processor',
    recognized_by: ['id', 'Type', 'Source', 'Amount', 'Fee', 'Net', 'Currency', 'Created (UTC)'],
    columns: {
      booked_on: ['Created (UTC)', 'Created'],
      value_on: ['Available On (UTC)', 'Available On'],
      amount: ['Amount'],
      fee: ['Fee'],
      net: ['Net'],
      currency: ['Currency'],
      description: ['Description'],
      bank_id: ['id'],
      payout_id: ['Transfer', 'Payout'],
      paid_on: ['Transfer Date (UTC)', 'Payout Date (UTC)'],
      gateway_transaction_id: ['Source'],
      kind: ['Type'],
      foreign_amount: ['Customer Facing Amount'],
      foreign_currency: ['Customer Facing Currency'],
    },
    date_order: 'ymd',
    kinds: categories,
    idle_statuses: [],
  },
];
