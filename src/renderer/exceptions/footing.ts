interface Line {
  readonly label: string;
  readonly amount_in_cents: number | null;
}

/** How a line stands in a column of figures: it is added up, it is what the lines above come to, or what two figures differ by. */
export type Standing = 'plain' | 'sum' | 'difference';

/**
 * The lines with how each stands, found from the figures alone, so that a rule is drawn above what is a sum and nowhere
 * else: a column that shows a sum does foot.
 */
export function footed<L extends Line>(lines: readonly L[]): (L & { readonly standing: Standing })[] {
  let block: number[] = [];
  const figures: number[] = [];
  return lines.map((line, place) => {
    const amount = line.amount_in_cents;
    if (amount === null) return { ...line, standing: 'plain' };
    const [first, second] = [figures.at(-2), figures.at(-1)];
    const isLast = place === lines.length - 1;
    const sum = block.reduce((total, figure) => total + figure, 0);
    const standing: Standing =
      isLast && first !== undefined && second !== undefined && isDifference(amount, first, second)
        ? 'difference'
        : block.length > 1 && amount === sum
          ? 'sum'
          : 'plain';
    block = standing === 'plain' ? [...block, amount] : [];
    figures.push(amount);
    return { ...line, standing };
  });
}

function isDifference(amount: number, first: number, second: number): boolean {
  return amount === second - first || amount === first - second;
}
