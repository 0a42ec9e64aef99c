import { parseScheduleLines, type WorkpaperScheduleDefinition } from './schedule-definition.ts';

/** Schedules of the balances that follow from the billing records: receivables and deferred revenue. */
export const balanceScheduleDefinitions: readonly WorkpaperScheduleDefinition[] = [
  {
    id: 'S5',
    title: 'Receivables',
    purpose:
      'Rolls the balances of all subscriptions forward over the period, and breaks the closing balance down into open statements, customer credits and overpayments.',
    lines: parseScheduleLines(`
      opening         | source     | A    | Balances at the beginning of the period | Ending balance of each subscription’s last statement closed before the period, and later transactions dated before it.
      started         | item rare  | A    | Starting balances of first statements | Of subscriptions whose first stored statement was opened in the period.
      charges         | item       | R    | Charges | Dated in the period. A transaction counts not before its statement’s opening and not after its closing.
      adjusted        | item       | R    | Adjustments | Coupons, prorations and corrections, dated in the period.
      credits         | item       | R    | Credits | Reversals of charges, dated in the period.
      payments        | item       | R    | Payments | Successful payments, dated in the period.
      unknown         | item rare  | E    | Transactions of unknown type | Effect on the balance unknown, none assumed.
      footing         | item rare  | R    | Statements that do not foot | Closing balance less opening balance less transactions, per statement.
      carried         | item rare  | R    | Balances not carried forward | Opening balance less the previous statement’s closing balance.
      computed        | total      | F    | Closing balances, computed | Sum of the lines above. | opening started charges adjusted credits payments unknown footing carried
      statements      | source     | A    | Balances per last closed statements | Ending balance of each subscription’s last statement closed by the as-of date.
      progress        | item       | R    | Plus: later transactions | Dated by the as-of date, on statements not closed by then.
      closing         | total      | F    | Closing balances per statements | Sum of the two lines above. | statements progress
      difference      | difference | F    | Difference | Per statements less computed. | closing -computed
      open            | source     | R    | Open statements | Charges that no payment or credit covers. Payments and credits cover the oldest charges first. See the list of customer balances for their age.
      credits-due     | item rare  | R    | Less: customer credits | Liability: credits and adjustments that exceed the charges.
      overpaid        | item rare  | R    | Less: overpayments | Liability: payments that exceed the charges.
      composed        | total      | F    | Open statements less credits and overpayments | Sum of the three lines above. | open credits-due overpaid
      open-difference | difference | F    | Difference | Open statements less credits and overpayments, less closing balances. | composed -closing
      settled         | memo rare  | E    | Open, but settled per the service | Statements in open statements that the service reports as settled by the as-of date.
      unapplied       | memo rare  | CF   | Unapplied cash | Money received without a payment in billing, per S2 and S3. Not in the customers’ balances. | S2.report-open S3.open
    `),
  },
  {
    id: 'S6',
    title: 'Deferred revenue',
    purpose:
      'Rolls the revenue billed for later service days forward over the period. Charges are spread by day over the service period that their memos or statements state.',
    lines: parseScheduleLines(`
      opening    | source     | R      | Deferred at the beginning of the period | Service days in or after the period, billed before it.
      billed     | subtotal   | CF S1/ | Charges, adjustments and credits billed | On statements closed in the period, per S1. | S1.charges S1.adjusted S1.credits
      taxes      | item rare  | N/A    | Less: taxes | No revenue.
      unknown    | item rare  | E      | Less: service period unknown | Neither the memo nor the statement states one, so nothing is recognized or deferred.
      recognized | item       | R      | Less: revenue recognized | Service days up to the as-of date that were not recognized before.
      computed   | total      | F      | Deferred at the as-of date, computed | Sum of the lines above. | opening billed taxes unknown recognized
      closing    | stated     | R      | Deferred at the as-of date | Service days after the as-of date, per charge.
      difference | difference | F      | Difference | Per charge less computed. | closing -computed
    `),
  },
];
