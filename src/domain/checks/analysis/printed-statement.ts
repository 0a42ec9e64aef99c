import { type Cents, findTypeEffect } from '../../ledger/index.ts';
import { capitalize } from '../../text/capitalize.ts';
import { formatCount } from '../../text/format-count.ts';
import type { RuleContext } from './check-rule.ts';
import { type DraftArithmeticLine, type FindingDraft, toStatementEvidence } from './finding.ts';
import { formatMoney } from './finding-message-text.ts';
import {
  endsWithFigure,
  findPrintedAmounts,
  findPrintedFigures,
  findTextAfter,
  type PrintedFigures,
} from './printed-figures.ts';
import type { StatementFooting } from './statement-footing.ts';
import type { SubscriptionAnalysis } from './subscription-analysis.ts';
import type { TransactionRecord } from './subscription-record.ts';

/** A printed figure that differs from the corresponding statement field. */
type PrintMismatch = { readonly label: string; readonly recorded: Cents; readonly printed: Cents };

/** Configuration of a check that compares one printed form of a statement (text or PDF). */
export interface PrintCheck {
  readonly noun: string;
  readonly comparesLines: boolean;
  textOf(statement: StatementFooting['statement']): string | null;
}

/** Minimum length of a memo to search for. Shorter memos occur in a text by chance. Chosen by judgment. */
const MIN_MEMO_LENGTH = 6;

/** Compares statements with their printed form. PDFs are compared without transaction lines. */
export function checkPrintedStatements(
  analysis: SubscriptionAnalysis,
  context: RuleContext,
  print: PrintCheck,
): FindingDraft[] {
  const findings: FindingDraft[] = [];
  for (const [n, footing] of analysis.footings.entries()) {
    const text = print.textOf(footing.statement);
    if (text === null || text === '') continue;
    const figures = findPrintedFigures(text);
    const mismatches = findBalanceMismatches(analysis, n, figures);
    if (!context.suspectStatements.has(footing.statement.id)) {
      mismatches.push(...findTotalMismatches(footing, figures));
      if (print.comparesLines) mismatches.push(...findLineMismatches(footing, text));
    }
    if (mismatches.length > 0) findings.push(createMismatchFinding(print, analysis, footing, mismatches));
  }
  return findings;
}

function createMismatchFinding(
  { noun }: PrintCheck,
  analysis: SubscriptionAnalysis,
  { statement }: StatementFooting,
  mismatches: readonly PrintMismatch[],
): FindingDraft {
  const { label, recorded, printed } = mismatches[0] as PrintMismatch;
  const others = mismatches.length - 1;
  const more =
    others > 0 ? `. ${formatCount(others, 'more figure')} ${others === 1 ? 'differs' : 'differ'}` : '';
  return {
    subject: { subscription_id: analysis.id, statement_id: statement.id },
    expected_in_cents: recorded,
    actual_in_cents: printed,
    message:
      `Statement ${statement.id}: ${label} is ${formatMoney(recorded)}, but its ${noun} shows ${formatMoney(printed)}, ` +
      `a difference of ${formatMoney(printed - recorded)}${more}.`,
    arithmetic: mismatches.flatMap((each): DraftArithmeticLine[] => [
      [`${capitalize(each.label)}, per statement`, each.recorded],
      [`${capitalize(each.label)}, per ${noun}`, each.printed],
    ]),
    evidence: [
      toStatementEvidence(statement),
      {
        row: { kind: 'statement', id: statement.id },
        content: [noun, ...mismatches.map(({ printed }) => printed)],
      },
    ],
  };
}

/** Compares the opening and closing balances. If the print shows the computed balance, this is not a mismatch. */
function findBalanceMismatches(
  { footings, boundaries }: SubscriptionAnalysis,
  index: number,
  { starting, ending }: PrintedFigures,
): PrintMismatch[] {
  const { statement, computed } = footings[index] as StatementFooting;
  const before = boundaries[index - 1]?.before.statement.ending_balance_in_cents ?? null;
  const opening = { recorded: statement.starting_balance_in_cents, expected: before };
  const closing = { recorded: statement.ending_balance_in_cents, expected: computed };
  return [
    ...compareBalance('the opening balance', opening, starting),
    ...(statement.closed_at === null ? [] : compareBalance('the closing balance', closing, ending)),
  ];
}

function compareBalance(
  label: string,
  { recorded, expected }: { recorded: Cents | null; expected: Cents | null },
  printed: readonly Cents[],
): PrintMismatch[] {
  const [first] = printed;
  if (recorded === null || first === undefined) return [];
  const isKnown = (figure: Cents): boolean =>
    isSameAmount(figure, recorded) || (expected !== null && isSameAmount(figure, expected));
  return printed.some(isKnown) ? [] : [{ label, recorded, printed: first }];
}

/** Compares amounts without their signs, because a print may show a credit balance as -5.00, (5.00) or 5.00 CR. */
const isSameAmount = (one: Cents, other: Cents): boolean => Math.abs(one) === Math.abs(other);

/**
 * Compares the totals of charges and payments. A print may include or exclude tax, discounts, credits or failed
 * payments, so a total is a mismatch only if no combination gives that amount.
 */
function findTotalMismatches(footing: StatementFooting, printed: PrintedFigures): PrintMismatch[] {
  if (printed.charges.length === 0 && printed.payments.length === 0) return [];
  const sums = sumByType(footing);
  const mismatches: PrintMismatch[] = [];
  for (const [label, recorded, possibleTotals, figures] of [
    ['the total of charges', sums.charge, listPossibleChargeTotals, printed.charges],
    ['the total of payments', 0 - sums.payment, listPossiblePaymentTotals, printed.payments],
  ] as const) {
    for (const figure of figures) {
      const fits = (sum: Cents): boolean => isSameAmount(figure, sum);
      if (fits(recorded) || fits(sums.charge + sums.adjustment + sums.credit)) continue;
      if (footing.transactions.some(({ amount_in_cents }) => fits(amount_in_cents))) continue;
      if (possibleTotals(sums).some(fits)) continue;
      mismatches.push({ label, recorded, printed: figure });
      break;
    }
  }
  return mismatches;
}

/** Returns every sum that may be a printed total of charges: with or without tax, deductions and opening balance. */
function listPossibleChargeTotals({ charge, tax, adjustment, credit, discount, opening }: SumsByType) {
  return [charge, charge - tax, charge + tax].flatMap((sum) =>
    [0, adjustment, credit, adjustment + credit, discount, discount + credit].flatMap((less) => [
      sum + less,
      sum + less + opening,
    ]),
  );
}

/** Returns every sum that may be a printed total of payments: with or without credits and failed payments. */
function listPossiblePaymentTotals({ payment, failed, credit, discount, refund, adjustment }: SumsByType) {
  return [payment, payment + failed].flatMap((sum) =>
    [0, credit, discount, credit + discount, refund, credit + adjustment].map((more) => sum + more),
  );
}

const NO_SUMS = {
  charge: 0,
  adjustment: 0,
  discount: 0,
  credit: 0,
  payment: 0,
  tax: 0,
  refund: 0,
  failed: 0,
};
/** Sums of a statement's transactions by type, and its opening balance, in cents. */
type SumsByType = typeof NO_SUMS & { opening: Cents };

function sumByType({ statement, transactions, effects }: StatementFooting): SumsByType {
  const sums = { ...NO_SUMS, opening: statement.starting_balance_in_cents ?? 0 };
  for (const [at, transaction] of transactions.entries()) addToSums(sums, transaction, effects[at] ?? 0);
  return sums;
}

function addToSums(sums: SumsByType, transaction: TransactionRecord, effect: Cents): void {
  const type = findTypeEffect(transaction)?.transaction_type;
  const size = Math.abs(transaction.amount_in_cents);
  if (type === 'refund') sums.refund += size;
  if (type !== 'charge' && type !== 'adjustment' && type !== 'credit' && type !== 'payment') return;
  sums[type] += effect;
  if (type === 'charge' && transaction.kind === 'tax') sums.tax += effect;
  if (type === 'adjustment') sums.discount += Math.min(effect, 0);
  if (type === 'payment' && transaction.success === false) sums.failed -= size;
}

/** Finds printed lines that contain a transaction's memo but no figure equal to an amount or effect on the statement. */
function findLineMismatches({ transactions, effects }: StatementFooting, text: string): PrintMismatch[] {
  const mismatches: PrintMismatch[] = [];
  const fits = (figure: Cents): boolean =>
    transactions.some(({ amount_in_cents }) => isSameAmount(figure, amount_in_cents)) ||
    effects.some((effect) => isSameAmount(figure, effect ?? 0));
  for (const [at, { memo, amount_in_cents, id }] of transactions.entries()) {
    if (memo === null || memo.length < MIN_MEMO_LENGTH) continue;
    if (transactions.findIndex((each) => each.memo === memo) < at) continue;
    const recorded = Math.abs(amount_in_cents);
    for (const line of findTextAfter(text, memo)) {
      if (endsWithFigure(line, recorded)) continue;
      const figures = findPrintedAmounts(line);
      if (figures.length === 0 || figures.some(fits)) continue;
      const printed = Math.abs(figures.at(-1) as Cents);
      mismatches.push({ label: `the amount of transaction ${id}`, recorded, printed });
    }
  }
  return mismatches;
}
