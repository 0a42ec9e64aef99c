import type { PlanStatement } from '../../contract/index.ts';
import type { BankFile } from '../../domain/bankfiles/index.ts';

/** Returns the file's statements. Each has the difference between its balances and the total of its lines. */
export function summarizeStatements({ statements }: BankFile, defaultCurrency: string): PlanStatement[] {
  return statements.map((statement) => {
    const { account, number, from, to, opening, closing, location, lines, lines_in_cents } = statement;
    const currencies = [...new Set(statement.currencies.map((currency) => currency ?? defaultCurrency))];
    const comparable = opening !== null && closing !== null && currencies.length <= 1;
    return {
      account,
      number,
      currency: statement.currency ?? (currencies.length === 1 ? currencies[0]! : null),
      from,
      to,
      lines,
      lines_in_cents,
      opening_in_cents: opening?.amount_in_cents ?? null,
      opening_on: opening?.date ?? null,
      closing_in_cents: closing?.amount_in_cents ?? null,
      closing_on: closing === null ? null : (closing.date ?? to),
      difference_in_cents: comparable
        ? closing.amount_in_cents - opening.amount_in_cents - lines_in_cents
        : null,
      location: location,
    };
  });
}
