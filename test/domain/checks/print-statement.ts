import type { StatementRecord } from '../../../src/domain/checks/index.ts';

const formatFigure = (cents: number): string =>
  `${cents < 0 ? '-' : ''}$${(Math.abs(cents) / 100).toFixed(2).replace(/\B(?=(\d{3})+\.)/g, ',')}`;

/** Prints a statement as 80-column text in the layout of statements recorded from the service. */
export function printStatement(statement: Pick<StatementRecord, keyof StatementRecord>): string {
  const { transactions } = statement;
  const sum = (types: readonly string[]): number =>
    transactions
      .filter(({ transaction_type, success }) => types.includes(transaction_type ?? '') && success !== false)
      .reduce((all, each) => {
        const credit = each.transaction_type === 'credit';
        return all + (credit ? -Math.abs(each.amount_in_cents) : each.amount_in_cents);
      }, 0);
  const rows = transactions.map(({ memo, amount_in_cents }) => {
    const detail = (memo ?? '').slice(0, 47).padEnd(47);
    return `01/05/2026\n09:20AM EST   Recur  ${detail}  ${formatFigure(amount_in_cents).padStart(10)}`;
  });
  return [
    `My Awesome Company${`(${statement.id})`.padStart(62)}`,
    '='.repeat(80),
    '--------',
    ' Summary',
    '--------',
    ` ID......: ${statement.id}`,
    `Starting Balance..: ${formatFigure(statement.starting_balance_in_cents ?? 0)}`,
    `Current Charges...: ${formatFigure(sum(['charge', 'credit', 'adjustment']))}`,
    `Payments..........: ${formatFigure(sum(['payment']))}`,
    ...(statement.closed_at === null
      ? []
      : [`Ending Balance....: ${formatFigure(statement.ending_balance_in_cents ?? 0)}`]),
    'Balance Paid......: 10/24/2016 04:20PM EDT',
    '',
    '### Current Charges and Adjustments',
    'Date/Time     Type   Detail                                              Charges',
    '............  .....  ...............................................  ..........',
    ...rows,
    '............  .....  ...............................................  ..........',
    `${'Totals:'.padStart(68)}${formatFigure(sum(['charge'])).padStart(12)}`,
    'We thank you for your continued business!',
  ].join('\n');
}

/** Returns the statement as words extracted from a PDF, with labels and figures on separate lines. */
export function printPdfText(statement: StatementRecord): string {
  const words = ['BILLING STATEMENT', `Statement ${statement.id}`, 'Starting balance'];
  words.push(formatFigure(statement.starting_balance_in_cents ?? 0));
  for (const { memo, amount_in_cents } of statement.transactions)
    words.push(memo ?? '', formatFigure(amount_in_cents));
  words.push('Ending balance', formatFigure(statement.ending_balance_in_cents ?? 0));
  return words.join('\n');
}
