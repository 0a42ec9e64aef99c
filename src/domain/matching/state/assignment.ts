/** A compatible pair of a line and a payment, given by their indexes in two lists. */
export interface AssignmentCandidate {
  readonly line: number;
  readonly payment: number;
  /** Integer cost of the pair. Lower is better. */
  readonly cost: number;
}

/**
 * Returns, per line, the index of its payment in the best assignment, or -1: as many pairs as possible at the lowest
 * total cost, ties in row order. Uses the Hungarian method, whose cubic time only suits small components.
 */
export function findBestAssignment(
  lineCount: number,
  paymentCount: number,
  candidates: readonly AssignmentCandidate[],
): Int32Array {
  const size = Math.max(lineCount, paymentCount);
  const forbiddenCost = candidates.reduce((sum, { cost }) => sum + cost + 1, 1);
  const costs = new Float64Array(size * size).fill(forbiddenCost);
  for (const { line, payment, cost } of candidates) costs[line * size + payment] = cost;
  const solver = new HungarianSolver(size, costs);
  for (let row = 1; row <= size; row++) solver.assignRow(row);
  const paymentOfLine = new Int32Array(lineCount).fill(-1);
  for (let column = 1; column <= paymentCount; column++) {
    const line = (solver.rowOfColumn[column] as number) - 1;
    if (line < lineCount && (costs[line * size + column - 1] as number) < forbiddenCost)
      paymentOfLine[line] = column - 1;
  }
  return paymentOfLine;
}

/** Assigns rows to columns one by one along shortest augmenting paths. Rows and columns count from 1; 0 is a dummy. */
class HungarianSolver {
  readonly rowOfColumn: Int32Array;
  readonly #size: number;
  readonly #costs: Float64Array;
  readonly #rowPotential: Float64Array;
  readonly #columnPotential: Float64Array;
  readonly #previousColumn: Int32Array;

  constructor(size: number, costs: Float64Array) {
    this.#size = size;
    this.#costs = costs;
    this.rowOfColumn = new Int32Array(size + 1);
    this.#rowPotential = new Float64Array(size + 1);
    this.#columnPotential = new Float64Array(size + 1);
    this.#previousColumn = new Int32Array(size + 1);
  }

  assignRow(row: number): void {
    this.rowOfColumn[0] = row;
    const slack = new Float64Array(this.#size + 1).fill(Number.POSITIVE_INFINITY);
    const isVisited = new Uint8Array(this.#size + 1);
    let column = 0;
    do {
      isVisited[column] = 1;
      const next = this.#closestColumn(column, slack, isVisited);
      this.#updatePotentials(slack[next] as number, slack, isVisited);
      column = next;
    } while (this.rowOfColumn[column] !== 0);
    do {
      const previous = this.#previousColumn[column] as number;
      this.rowOfColumn[column] = this.rowOfColumn[previous] as number;
      column = previous;
    } while (column !== 0);
  }

  /** Relaxes the edges of a column's row and returns the unvisited column with the least slack. */
  #closestColumn(column: number, slack: Float64Array, isVisited: Uint8Array): number {
    const row = this.rowOfColumn[column] as number;
    let closest = 0;
    for (let to = 1; to <= this.#size; to++) {
      if (isVisited[to] === 1) continue;
      const cost = this.#costs[(row - 1) * this.#size + to - 1] as number;
      const reducedCost = cost - (this.#rowPotential[row] as number) - (this.#columnPotential[to] as number);
      if (reducedCost < (slack[to] as number)) {
        slack[to] = reducedCost;
        this.#previousColumn[to] = column;
      }
      if (closest === 0 || (slack[to] as number) < (slack[closest] as number)) closest = to;
    }
    return closest;
  }

  #updatePotentials(delta: number, slack: Float64Array, isVisited: Uint8Array): void {
    for (let column = 0; column <= this.#size; column++) {
      if (isVisited[column] === 1) {
        const row = this.rowOfColumn[column] as number;
        this.#rowPotential[row] = (this.#rowPotential[row] as number) + delta;
        this.#columnPotential[column] = (this.#columnPotential[column] as number) - delta;
      } else {
        slack[column] = (slack[column] as number) - delta;
      }
    }
  }
}
