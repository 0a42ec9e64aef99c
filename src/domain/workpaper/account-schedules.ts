import {
  parseScheduleLines,
  type WorkpaperScheduleDefinition,
  type WorkpaperScheduleLineDefinition,
} from './schedule-definition.ts';

/** Bank or processor account with a schedule of its own. */
export interface ReconciledAccount {
  readonly id: number;
  readonly name: string;
  readonly kind: 'bank' | 'processor';
  /** Stated balances: none, only one (which proves nothing), or both opening and closing. */
  readonly balances: 'none' | 'one' | 'both';
}

/** Returns the id of an account's schedule, for example `S3-2`. */
export const getAccountScheduleId = (account: number): string => `S3-${account}`;

/** Returns the account of a figure or schedule, for example 2 for `S3-2.closing`; null if it has none. */
export function findScheduleAccount(figure: string): number | null {
  const account = /^S3-(\d+)(?:\.|$)/.exec(figure)?.[1];
  return account === undefined ? null : Number(account);
}

const MOVEMENTS = `
  received | item      | B | Money received | Lines booked in the period, matched or not.
  paid     | item      | B | Money paid | Lines booked in the period, whether or not they are receipts returned.
  charges  | item rare | B | Fees that the bank deducted from lines | Effect on the balance less the amount of the line.`;

const OUTSTANDING = `
  unmatched | item      | R | Less: receipts without a match | Booked on or before the as-of date and not matched completely.
  later     | item rare | ✓ | Less: receipts matched after the as-of date | Outstanding at the as-of date, matched later.
  transit   | item      | ✓ | Plus: deposits in transit | Payouts and payments dated on or before the as-of date and booked in this account later.
  not-found | item rare | R | Plus: payouts not found at the bank | Assigned to this account because it is the only bank account in the currency.
  books     | total     | F | Balance per books | Balance per bank less receipts that the books do not contain, plus deposits in transit.`;

const withBalances = parseScheduleLines(`
  opening    | source     | B | Opening balance per bank statements | The last balance stated before the period, or the nearest one with the lines between.
  ${MOVEMENTS.trim()}
  computed   | total      | F | Closing balance, computed | Sum of the lines above. | opening received paid charges
  closing    | stated     | B | Closing balance per bank statements | The first balance stated on or after the as-of date, or the last one with the lines since.
  difference | difference | F | Difference | Per bank statements less computed. | closing -computed | A line or a bank statement is missing, or a statement does not foot. See the list of bank statements.
  ${OUTSTANDING.trim()} | closing unmatched later transit not-found
`);

const withoutBalances = parseScheduleLines(`
  ${MOVEMENTS.trim()}
  computed | total | F | Movement of the period | Sum of the lines above. Fewer than two stated balances, so the movement is not proved. | received paid charges
`);

const notPaidOut = parseScheduleLines(`
  carried    | source     | R | Opening balance not yet paid out | Lines dated before the period less payouts sent before the period.
  gross      | item       | P | Payments and refunds | Gross amounts of the report lines dated in the period.
  fees       | item       | P | Fees | Separate fees and fees deducted from each line.
  other      | item       | P | Chargebacks, reserve, exchange and adjustments | Per report lines.
  ahead      | item rare  | R | Paid out before the date in the reports | Lines dated after the payout that contains them.
  remainder  | item       | R | Unexplained differences in payouts | Amount sent less the lines of the payout.
  sent       | item       | P | Less: net payouts sent | Sent in the period per reports.
  computed   | total      | F | Closing balance, computed | Sum of the lines above. | carried gross fees other ahead remainder sent
  unpaid     | stated     | R | Closing balance not yet paid out | Lines dated on or before the as-of date and not in a payout by then.
  difference | difference | F | Difference | Not yet paid out less computed. | unpaid -computed
`);

/** Defines the schedule of an account. Its lines depend on the balances that the account's statements state. */
export function defineAccountSchedule({
  id,
  name,
  kind,
  balances,
}: ReconciledAccount): WorkpaperScheduleDefinition {
  const of = { id: getAccountScheduleId(id), title: name };
  if (kind === 'processor' && balances !== 'both')
    return {
      ...of,
      purpose: 'Rolls the balance that the processor has not paid out forward over the period.',
      lines: notPaidOut,
    };
  if (balances !== 'both')
    return {
      ...of,
      purpose: 'Movement of the account. Import bank statements with balances to reconcile it.',
      lines: withoutBalances,
    };
  return {
    ...of,
    purpose:
      'Rolls the balance of the account forward over the period, compares it with the bank statements, and reconciles it to the books.',
    lines: kind === 'bank' ? withBalances : withBalances.slice(0, -5),
  };
}

/** Returns the lines added to S3 if these accounts have stated balances. They foot to the accounts' schedules. */
export function defineAccountSummaryLines(
  banks: readonly ReconciledAccount[],
): WorkpaperScheduleLineDefinition[] {
  const figures = (name: string) => banks.map(({ id }) => `${getAccountScheduleId(id)}.${name}`).join(' ');
  return parseScheduleLines(`
    opening-balances   | subtotal   | CF | Opening balances of the bank accounts | Per bank statements, see the schedule of each account. | ${figures('opening')}
    late               | item rare  | R  | Lines counted in another period | Lines booked in the period and counted later, less lines counted in it and booked earlier.
    charges            | item rare  | CF | Fees that banks deducted from lines | See the schedule of each account. | ${figures('charges')}
    balances-computed  | total      | F  | Closing balances, computed | Opening balances, receipts per bank, other payments and the lines above. | opening-balances bank other-out late charges
    closing-balances   | stated     | CF | Closing balances of the bank accounts | Per bank statements, see the schedule of each account. | ${figures('closing')}
    balance-difference | difference | F  | Difference | Per bank statements less computed. | closing-balances -balances-computed | See the schedules of the accounts.
  `);
}
