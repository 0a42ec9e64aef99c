export interface WorkpaperScheduleLineDefinition {
  /** Name of the line. The figure's id is the schedule's id, a dot and this name. */
  readonly name: string;
  readonly label: string;
  readonly role: 'source' | 'item' | 'subtotal' | 'total' | 'stated' | 'difference' | 'memo';
  readonly ticks: readonly string[];
  readonly note: string;
  /** Instruction shown instead of the note if the amount is not 0. */
  readonly noteOfDifference?: string;
  /**
   * Names of lines, or ids of other schedules' figures, that this line adds up. A line that adds up others has no rows.
   */
  readonly plus?: readonly string[];
  readonly minus: readonly string[];
  /** True if the line is omitted while it has no rows or, for a sum, is zero. */
  readonly rare: boolean;
  /** True if the line may contain rows without an explanation. */
  readonly open: boolean;
}

export interface WorkpaperScheduleDefinition {
  /** Id of the schedule, for example `S2`, or `S3-2` for bank account 2. */
  readonly id: string;
  readonly title: string;
  readonly purpose: string;
  /** True if the schedule is based on billing records, which are all in the site's currency. */
  readonly billingOnly?: true;
  readonly lines: readonly WorkpaperScheduleLineDefinition[];
}

/**
 * Parses a table of schedule lines. Its columns are: name | role and flags | tick marks | label | note | names of the
 * lines to add (or, with a minus sign, to subtract) | note if the amount is not 0. The last two may be missing.
 */
export function parseScheduleLines(table: string): WorkpaperScheduleLineDefinition[] {
  return table
    .trim()
    .split('\n')
    .map((row) => {
      const [name = '', flags = '', ticks = '', label = '', note = '', sum, noteOfDifference] = row
        .split(' | ')
        .map((cell) => cell.trim());
      const [role, ...options] = flags.split(' ');
      const names = sum?.split(' ');
      return {
        name,
        label,
        role: role as WorkpaperScheduleLineDefinition['role'],
        ticks: ticks.split(' '),
        note,
        ...(noteOfDifference !== undefined && { noteOfDifference }),
        ...(names !== undefined && { plus: names.filter((each) => !each.startsWith('-')) }),
        minus: (names ?? []).filter((each) => each.startsWith('-')).map((each) => each.slice(1)),
        rare: options.includes('rare'),
        open: options.includes('open'),
      };
    });
}

/** Definitions of the schedules. Tick marks, for example /S2 and S1/, show how each schedule leads to the next. */
export const workpaperScheduleDefinitions: readonly WorkpaperScheduleDefinition[] = [
  {
    id: 'S1',
    title: 'Billing',
    billingOnly: true,
    purpose:
      'Rolls the statements closed in the period forward from opening to closing balances, and reconciles their payments to the payments dated in the period.',
    lines: parseScheduleLines(`
      opening      | source     | A      | Opening balances per first statement of each subscription | Starting balance of each subscription’s first statement closed in the period.
      charges      | item       | R      | Charges | Effect of the charges on the balance.
      adjusted     | item       | R      | Adjustments | Coupons, prorations and corrections, as recorded by the service.
      credits      | item       | R      | Credits | Reversals of charges.
      payments     | item       | R      | Payments | Successful payments. Failed payments have no effect.
      unknown      | item rare  | E      | Transactions of unknown type | Effect on the balance unknown, none assumed.
      footing      | item open  | R      | Statements that do not foot | Closing balance less opening balance less transactions, per statement.
      carried      | item open  | R      | Balances not carried forward | Opening balance less the previous statement’s closing balance, within the period.
      computed     | total      | F      | Closing balances, computed | Sum of the lines above. | opening charges adjusted credits payments unknown footing carried
      closing      | stated     | A      | Closing balances per last statement of each subscription | Ending balance of each subscription’s last statement closed in the period.
      difference   | difference | F      | Difference | Per statements less computed. | closing -computed
      paid         | source     | CF     | Payments on these statements | The payments above as money received.
      paid-outside | item       | R      | Less: dated outside the period | By payment date in the site’s calendar.
      paid-open    | item       | R      | Plus: dated in the period, on other statements | On statements that are open, closed outside the period or no longer listed by the service.
      dated        | total      | F      | Payments dated in the period | Sum of the three lines above. | paid paid-outside paid-open
      matched      | stated     | CF /S2 | Payments dated in the period, per matching | Payments in the books as of the latest matching run.
      cut-off      | difference | F      | Difference | Per matching less dated in the period: all payments are included. | matched -dated | The latest matching run used different payments. Run matching again.
      refunds      | memo       | N/A    | Refunds on these statements | Refunds do not change the balance owed. They are reconciled in S2.
    `),
  },
  {
    id: 'S2',
    title: 'Processor',
    purpose:
      'Reconciles the statements’ payments to the processors’ payout reports, and these, less fees and other deductions, to the payouts sent.',
    lines: parseScheduleLines(`
      payments            | source         | S1/ A | Payments per statements, dated in the period | Successful payments, per S1.
      refunds             | source         | A     | Refunds per statements, dated in the period | Money returned to customers.
      direct              | item           | ✓ /S3 | Less: received directly at the bank | Matched to bank lines, not paid through a processor.
      open                | item open      | R     | Less: not found at a processor or bank | Payments and refunds without a confirmed match.
      later               | item           | ✓     | Less: cleared after the as-of date | Outstanding at the as-of date, cleared later.
      earlier             | item rare      | ✓     | Less: reported before the period | Report lines dated before the payments.
      ledger              | item rare      | ✓     | Less: found in a ledger only | Matched to an export of the merchant’s ledger, but to no bank or processor.
      categorized         | item rare      | ✓     | Less: assigned to a category | Assigned by a user or a match rule, with the reason.
      out-of-scope        | item rare      | N/A   | Less: out of scope | Assigned by a user or a match rule, with the reason.
      timing              | item           | ✓     | Plus: reported in the period for other periods’ payments | Matched to payments dated outside the period.
      report-open         | item open      | R     | Plus: in the reports, not in billing | Report lines without a matching payment or refund.
      report-later        | item rare      | ✓     | Plus: in the reports, matched after the as-of date | Outstanding at the as-of date, matched later.
      report-categorized  | item rare      | ✓     | Plus: in the reports, assigned to a category | Assigned by a user or a match rule, with the reason.
      report-out-of-scope | item rare      | N/A   | Plus: in the reports, out of scope | Assigned by a user or a match rule, with the reason.
      report-deleted      | item open rare | E     | Plus: in the reports, payment deleted at the service | Matched earlier. The statements no longer contain the payments.
      adjustments         | item           | ✓     | Differences in matched amounts | Assigned to a category in each match.
      expected            | total          | F     | Payments and refunds, computed | Sum of the lines above. | payments refunds direct open later earlier ledger categorized out-of-scope timing report-open report-later report-categorized report-out-of-scope report-deleted adjustments
      gross               | stated         | P     | Payments and refunds per processors’ reports | Gross amounts of the report lines dated in the period.
      difference          | difference     | F     | Difference | Per reports less computed. | gross -expected
      chargebacks         | item           | P     | Chargebacks | Per report lines.
      fees                | item           | P     | Fees | Separate fees and fees deducted from each line.
      fx                  | item rare      | P     | Currency exchange | Per report lines.
      reserve             | item           | P     | Reserve held and released | Per report lines.
      other               | item           | P     | Adjustments, transfers and interest | Per report lines.
      opening             | item           | R     | Plus: opening balance not yet paid out | Lines dated before the period less payouts sent before the period.
      closing             | item           | R     | Less: closing balance not yet paid out | Lines dated on or before the as-of date and not in a payout by then.
      ahead               | item rare      | R     | Paid out before the date in the reports | Lines dated after the payout that contains them.
      remainder           | item open      | R     | Unexplained differences in payouts | Amount sent less the lines of the payout.
      paid                | total          | F     | Net payouts, computed | Sum of the gross amount per reports and the lines below it. | gross chargebacks fees fx reserve other opening closing ahead remainder
      sent                | stated         | P /S3 | Net payouts per processors | Sent in the period per reports.
      sent-difference     | difference     | F     | Difference | Per processors less computed. | sent -paid
      before              | memo rare      | N/A   | Payments and refunds before the first file | Not reconciled: no bank or processor file covers these dates.
    `),
  },
  {
    id: 'S3',
    title: 'Bank',
    purpose: 'Reconciles the payouts sent and the direct receipts to the deposits at the bank.',
    lines: parseScheduleLines(`
      sent         | source     | S2/ P | Net payouts per processors | Sent in the period, per S2.
      direct       | source     | S2/ ✓ | Payments received directly at the bank | Not through a processor, per S2.
      transit      | item       | ✓     | Less: deposits in transit | Payouts sent by the as-of date and deposited later.
      not-found    | item open  | R     | Less: payouts not found at the bank | Payouts sent by the as-of date without a matching deposit.
      before       | item rare  | ✓     | Less: deposited before the period | Payouts and payments whose bank lines are dated before the period.
      arrived      | item       | ✓     | Plus: deposits of other periods’ payouts | In transit at the beginning of the period.
      timing       | item       | ✓     | Plus: direct receipts for other periods’ payments | Matched to payments dated outside the period.
      differs      | item       | ✓     | Differences between deposits and payouts | Assigned to a category in each match.
      adjustments  | item       | ✓     | Differences in matched amounts | Assigned to a category in each match.
      categorized  | item       | ✓     | Plus: assigned to a category | Assigned by a user or a match rule, with the reason. Includes returned amounts.
      out-of-scope | item       | N/A   | Plus: out of scope | Assigned by a user or a match rule, with the reason.
      written-off  | item rare  | ✓     | Less: payouts assigned to a category | Assigned by a user, with the reason. No bank line exists for them.
      later        | item rare  | ✓     | Plus: bank lines matched after the as-of date | Outstanding at the as-of date, matched later.
      open         | item open  | R     | Plus: bank lines not in billing | Deposits without a matching payment or payout.
      expected     | total      | F     | Receipts at the bank, computed | Sum of the lines above. | sent direct transit not-found before arrived timing differs adjustments categorized out-of-scope written-off later open
      deposits     | source     | B     | Deposits per bank | All money received, by the bank’s booking date.
      returned     | source     | B     | Less: receipts returned | Money paid out for refunds, returns and chargebacks.
      bank         | total      | F B   | Receipts per bank | Deposits less receipts returned. | deposits returned
      difference   | difference | F     | Difference | Per bank less computed. | bank -expected
      other-out    | memo       | N/A   | Other payments from the accounts | Not receipts, for example rent, wages and purchases. See the list of bank lines.
    `),
  },
];
