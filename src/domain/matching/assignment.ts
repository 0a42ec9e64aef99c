/** Lines and payments that fit each other in more than one way, by their places in two lists. */
export interface Fit {
  readonly line: number;
  readonly payment: number;
  /** What speaks against it, a whole number: the smaller, the better. */
  readonly cost: number;
}

/**
 * The best assignment on the whole: as many pairs as can be, and of those ways the cheapest; of equal ways always the same one for
 * the same order of lines and payments. The payment of each line, -1 for none. (Hungarian method, cubic: for small components only.)
 */
export function assign(lines: number, payments: number, fits: readonly Fit[]): Int32Array {
  const size = Math.max(lines, payments);
  const dear = fits.reduce((sum, { cost }) => sum + cost + 1, 1);
  const cost = new Float64Array(size * size).fill(dear);
  for (const fit of fits) cost[fit.line * size + fit.payment] = fit.cost;
  const rowPrice = new Float64Array(size + 1);
  const columnPrice = new Float64Array(size + 1);
  const rowOf = new Int32Array(size + 1);
  const way = new Int32Array(size + 1);
  for (let row = 1; row <= size; row++) {
    rowOf[0] = row;
    const least = new Float64Array(size + 1).fill(Number.POSITIVE_INFINITY);
    const used = new Uint8Array(size + 1);
    let column = 0;
    do {
      used[column] = 1;
      const at = rowOf[column] as number;
      let step = Number.POSITIVE_INFINITY;
      let next = 0;
      for (let to = 1; to <= size; to++) {
        if (used[to] === 1) continue;
        const price =
          (cost[(at - 1) * size + to - 1] as number) - (rowPrice[at] as number) - (columnPrice[to] as number);
        if (price < (least[to] as number)) {
          least[to] = price;
          way[to] = column;
        }
        if ((least[to] as number) < step) {
          step = least[to] as number;
          next = to;
        }
      }
      for (let to = 0; to <= size; to++) {
        if (used[to] === 1) {
          rowPrice[rowOf[to] as number] = (rowPrice[rowOf[to] as number] as number) + step;
          columnPrice[to] = (columnPrice[to] as number) - step;
        } else {
          least[to] = (least[to] as number) - step;
        }
      }
      column = next;
    } while (rowOf[column] !== 0);
    do {
      const before = way[column] as number;
      rowOf[column] = rowOf[before] as number;
      column = before;
    } while (column !== 0);
  }
  const found = new Int32Array(lines).fill(-1);
  for (let column = 1; column <= size; column++) {
    const row = (rowOf[column] as number) - 1;
    if (row < lines && column <= payments && (cost[row * size + column - 1] as number) < dear) {
      found[row] = column - 1;
    }
  }
  return found;
}
