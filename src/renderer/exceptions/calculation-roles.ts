interface CalculationLine {
  readonly label: string;
  readonly amount_in_cents: number | null;
}

/** Role of a line in a calculation: an addend, the sum of the lines above it, or the difference of two figures. */
export type CalculationRole = 'plain' | 'sum' | 'difference';

/** Infers the roles of the lines from their amounts. A line is a sum if it equals the total of the lines above it. */
export function addCalculationRoles<L extends CalculationLine>(
  lines: readonly L[],
): (L & { readonly role: CalculationRole })[] {
  let block: number[] = [];
  const figures: number[] = [];
  return lines.map((line, index) => {
    const amount = line.amount_in_cents;
    if (amount === null) return { ...line, role: 'plain' };
    const [first, second] = [figures.at(-2), figures.at(-1)];
    const isLast = index === lines.length - 1;
    const sum = block.reduce((total, figure) => total + figure, 0);
    const role: CalculationRole =
      isLast && first !== undefined && second !== undefined && isDifference(amount, first, second)
        ? 'difference'
        : block.length > 1 && amount === sum
          ? 'sum'
          : 'plain';
    block = role === 'plain' ? [...block, amount] : [];
    figures.push(amount);
    return { ...line, role };
  });
}

function isDifference(amount: number, first: number, second: number): boolean {
  return amount === second - first || amount === first - second;
}
