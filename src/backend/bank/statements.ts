import type { PlanStatement } from '../../contract/index.ts';
import type { BankFile } from '../../domain/bankfiles/index.ts';

/** The file's statements, their balances held against their lines. */
export function planStatements({ statements, lines }: BankFile, otherwise: string): PlanStatement[] {
  const sums = statements.map(() => ({ lines: 0, amount: 0, currencies: new Set<string>() }));
  for (const line of lines) {
    const sum = sums[line.statement];
    if (sum === undefined) continue;
    sum.lines++;
    sum.amount += line.net_in_cents ?? line.amount_in_cents;
    sum.currencies.add(line.currency ?? otherwise);
  }
  return statements.map((statement, at) => {
    const { lines: count, amount, currencies } = sums[at]!;
    const { opening, closing } = statement;
    const comparable = opening !== null && closing !== null && currencies.size <= 1;
    return {
      account: statement.account,
      number: statement.number,
      currency: statement.currency ?? (currencies.size === 1 ? [...currencies][0]! : null),
      from: statement.from,
      to: statement.to,
      lines: count,
      lines_in_cents: amount,
      opening_in_cents: opening?.amount_in_cents ?? null,
      opening_on: opening?.date ?? null,
      closing_in_cents: closing?.amount_in_cents ?? null,
      closing_on: closing === null ? null : (closing.date ?? statement.to),
      difference_in_cents: comparable ? closing.amount_in_cents - opening.amount_in_cents - amount : null,
      place: statement.place,
    };
  });
}
