import { type Cents, effectRowOf } from '../ledger/index.ts';
import type { Account } from './account.ts';
import { endsInFigure, figuresIn, linesBehind, type PrintedFigures, printedFigures } from './figures.ts';
import { type ArithmeticLine, type Finding, makeFinding, statementEvidence } from './finding.ts';
import type { Footing } from './footing.ts';
import type { Look, Rule } from './rule.ts';
import { line, money } from './words.ts';

/** A figure that stands in print otherwise than in the statement’s fields. */
interface Mismatch {
  readonly label: string;
  readonly held: Cents;
  readonly printed: Cents;
}

/** Memos shorter than this are found by chance in a text. */
const SHORTEST_MEMO = 6;

/** Compares a statement with its print. `lines`: also the lines of its transactions, which a PDF’s words do not keep together. */
export function printFindings(
  rule: Rule,
  account: Account,
  look: Look,
  textOf: (statement: Footing['statement']) => string | null,
  print: { readonly noun: string; readonly lines: boolean },
): Finding[] {
  const found: Finding[] = [];
  for (const [n, footing] of account.footings.entries()) {
    const text = textOf(footing.statement);
    if (text === null || text === '') continue;
    const figures = printedFigures(text);
    const mismatches = balanceMismatches(account, n, figures);
    if (!look.suspects.has(footing.statement.id)) {
      mismatches.push(...totalMismatches(footing, figures));
      if (print.lines) mismatches.push(...lineMismatches(footing, text));
    }
    if (mismatches.length > 0) found.push(finding(rule, account, footing, mismatches, print.noun));
  }
  return found;
}

function finding(
  rule: Rule,
  account: Account,
  { statement }: Footing,
  mismatches: readonly Mismatch[],
  noun: string,
): Finding {
  const { label, held, printed } = mismatches[0] as Mismatch;
  const more = mismatches.length > 1 ? `, and ${mismatches.length - 1} more of its figures differ` : '';
  return makeFinding(rule, {
    subject: { subscription_id: account.id, statement_id: statement.id },
    expected_in_cents: held,
    actual_in_cents: printed,
    message:
      `Statement ${statement.id}: ${label} is ${money(held)}, but its ${noun} says ${money(printed)}, ` +
      `a difference of ${money(printed - held)}${more}.`,
    arithmetic: mismatches.flatMap((each): ArithmeticLine[] => [
      line(`${capital(each.label)}, as held`, each.held),
      line(`${capital(each.label)}, as printed`, each.printed),
    ]),
    evidence: [
      statementEvidence(statement),
      {
        row: { kind: 'statement', id: statement.id },
        content: [noun, ...mismatches.map(({ printed }) => printed)],
      },
    ],
  });
}

/** Opening and closing balance; a print that shows what the balance should be is a witness, not an error. */
function balanceMismatches(
  { footings, boundaries }: Account,
  n: number,
  { starting, ending }: PrintedFigures,
): Mismatch[] {
  const { statement, computed } = footings[n] as Footing;
  const mismatches: Mismatch[] = [];
  const before = boundaries[n - 1]?.before.statement.ending_balance_in_cents ?? null;
  compare(mismatches, 'the opening balance', statement.starting_balance_in_cents, starting, before);
  if (statement.closed_at !== null) {
    compare(mismatches, 'the closing balance', statement.ending_balance_in_cents, ending, computed);
  }
  return mismatches;
}

function compare(
  mismatches: Mismatch[],
  label: string,
  held: Cents | null,
  printed: readonly Cents[],
  should: Cents | null,
): void {
  if (held === null || printed.length === 0) return;
  if (printed.some((figure) => isSame(figure, held) || (should !== null && isSame(figure, should)))) return;
  mismatches.push({ label, held, printed: printed[0] as Cents });
}

/** A print may show a credit balance as -5.00, (5.00) or 5.00 CR, so signs are not compared. */
const isSame = (printed: Cents, held: Cents): boolean => Math.abs(printed) === Math.abs(held);

/**
 * Totals of charges and of payments. A print may count tax, discounts, credits or failed payments in or out, so only a total that
 * fits no way of counting is a mismatch.
 */
function totalMismatches(footing: Footing, printed: PrintedFigures): Mismatch[] {
  if (printed.charges.length === 0 && printed.payments.length === 0) return [];
  const sums = sumsOf(footing);
  const mismatches: Mismatch[] = [];
  for (const [label, held, ways, figures] of [
    ['the total of charges', sums.charge, waysOfCharges, printed.charges],
    ['the total of payments', 0 - sums.payment, waysOfPayments, printed.payments],
  ] as const) {
    for (const figure of figures) {
      const fits = (sum: Cents): boolean => isSame(figure, sum);
      if (fits(held) || fits(sums.charge + sums.adjustment + sums.credit)) continue;
      if (footing.transactions.some(({ amount_in_cents }) => fits(amount_in_cents))) continue;
      if (ways(sums).some(fits)) continue;
      mismatches.push({ label, held, printed: figure });
      break;
    }
  }
  return mismatches;
}

/** Every sum that may be meant by charges, with tax in or out, less what was taken off, on top of what was owed before. */
function waysOfCharges({ charge, tax, adjustment, credit, discount, opening }: Sums): Cents[] {
  return [charge, charge - tax, charge + tax].flatMap((sum) =>
    [0, adjustment, credit, adjustment + credit, discount, discount + credit].flatMap((less) => [
      sum + less,
      sum + less + opening,
    ]),
  );
}

/** Every sum that may be meant by payments, with credits, discounts, refunds and failed ones in or out. */
function waysOfPayments({ payment, failed, credit, discount, refund, adjustment }: Sums): Cents[] {
  return [payment, payment + failed].flatMap((sum) =>
    [0, credit, discount, credit + discount, refund, credit + adjustment].map((more) => sum + more),
  );
}

type Sums = ReturnType<typeof sumsOf>;

function sumsOf({ statement, transactions, effects }: Footing) {
  const sums = {
    charge: 0,
    adjustment: 0,
    discount: 0,
    credit: 0,
    payment: 0,
    tax: 0,
    refund: 0,
    failed: 0,
    opening: statement.starting_balance_in_cents ?? 0,
  };
  for (const [at, transaction] of transactions.entries()) {
    const effect = effects[at] ?? 0;
    const type = effectRowOf(transaction)?.transaction_type;
    if (type === 'charge' || type === 'adjustment' || type === 'credit' || type === 'payment')
      sums[type] += effect;
    if (type === 'charge' && transaction.kind === 'tax') sums.tax += effect;
    if (type === 'adjustment' && effect < 0) sums.discount += effect;
    if (type === 'refund') sums.refund += Math.abs(transaction.amount_in_cents);
    if (type === 'payment' && transaction.success === false)
      sums.failed -= Math.abs(transaction.amount_in_cents);
  }
  return sums;
}

/** Lines that name a transaction by its memo and show a figure that is none of the statement’s amounts, or effects. */
function lineMismatches({ transactions, effects }: Footing, text: string): Mismatch[] {
  const mismatches: Mismatch[] = [];
  const fits = (figure: Cents): boolean =>
    transactions.some(({ amount_in_cents }) => isSame(figure, amount_in_cents)) ||
    effects.some((effect) => isSame(figure, effect ?? 0));
  for (const [at, { memo, amount_in_cents, id }] of transactions.entries()) {
    if (memo === null || memo.length < SHORTEST_MEMO) continue;
    if (transactions.findIndex((each) => each.memo === memo) < at) continue;
    const held = Math.abs(amount_in_cents);
    for (const line of linesBehind(text, memo)) {
      if (endsInFigure(line, held)) continue;
      const figures = figuresIn(line);
      if (figures.length === 0 || figures.some(fits)) continue;
      const printed = Math.abs(figures.at(-1) as Cents);
      mismatches.push({ label: `the amount of transaction ${id}`, held, printed });
    }
  }
  return mismatches;
}

const capital = (words: string): string => words.charAt(0).toUpperCase() + words.slice(1);
