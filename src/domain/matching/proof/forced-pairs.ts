/** A possible pair of a line and a payment, given by the positions of both. */
export interface PossiblePair {
  readonly line: number;
  readonly payment: number;
}

/**
 * Returns the indexes of the pairs that every maximum matching contains. Finds one maximum matching, then the strongly
 * connected components of its residual graph (Dulmage and Mendelsohn; Tassa 2012). A matched pair can be exchanged if
 * both ends are in one component, or if an alternating path leads to it from a row without a partner.
 */
export function findForcedPairs(pairs: readonly PossiblePair[]): number[] {
  const graph = new PairGraph(pairs);
  graph.match();
  const exchangeable = graph.findExchangeable();
  return pairs.flatMap((pair, at) => (graph.isMatched(pair) && !exchangeable.has(pair.line) ? [at] : []));
}

class PairGraph {
  readonly #paymentsOf = new Map<number, number[]>();
  readonly #linesOf = new Map<number, number[]>();
  readonly #paymentOfLine = new Map<number, number>();
  readonly #lineOfPayment = new Map<number, number>();

  constructor(pairs: readonly PossiblePair[]) {
    for (const { line, payment } of pairs) {
      append(this.#paymentsOf, line, payment);
      append(this.#linesOf, payment, line);
    }
  }

  isMatched({ line, payment }: PossiblePair): boolean {
    return this.#paymentOfLine.get(line) === payment;
  }

  /** Finds a maximum matching along alternating paths, breadth first. */
  match(): void {
    for (const line of this.#paymentsOf.keys()) this.#assign(line);
  }

  /** Returns the matched lines that another maximum matching gives another payment or none. */
  findExchangeable(): Set<number> {
    const exchangeable = new Set<number>();
    const freePayments = [...this.#linesOf.keys()].filter((payment) => !this.#lineOfPayment.has(payment));
    // Moves from a free payment to a line that can take it, then to the payment that this line gives up.
    this.#spread(freePayments, (payment) => {
      const found: number[] = [];
      for (const line of this.#linesOf.get(payment) ?? []) {
        exchangeable.add(line);
        const given = this.#paymentOfLine.get(line);
        if (given !== undefined) found.push(given);
      }
      return found;
    });
    const freeLines = [...this.#paymentsOf.keys()].filter((line) => !this.#paymentOfLine.has(line));
    // From a free line to a payment that it can take, then to the line that loses it.
    this.#spread(freeLines, (line) => {
      const found: number[] = [];
      for (const payment of this.#paymentsOf.get(line) ?? []) {
        const owner = this.#lineOfPayment.get(payment);
        if (owner === undefined) continue;
        exchangeable.add(owner);
        found.push(owner);
      }
      return found;
    });
    for (const line of this.#findCycles()) exchangeable.add(line);
    return exchangeable;
  }

  #spread(start: readonly number[], next: (node: number) => readonly number[]): void {
    const seen = new Set(start);
    const queue = [...start];
    for (let node = queue.pop(); node !== undefined; node = queue.pop()) {
      for (const other of next(node)) {
        if (seen.has(other)) continue;
        seen.add(other);
        queue.push(other);
      }
    }
  }

  /** Returns the lines on alternating cycles: a line can take the payment of another line that can take its own. */
  #findCycles(): number[] {
    const lines = [...this.#paymentOfLine.keys()];
    const reach = (line: number): Set<number> => {
      const found = new Set<number>();
      this.#spread([line], (from) => {
        const owners = (this.#paymentsOf.get(from) ?? []).flatMap(
          (payment) => this.#lineOfPayment.get(payment) ?? [],
        );
        const others = owners.filter((owner) => owner !== from);
        for (const owner of others) found.add(owner);
        return others;
      });
      return found;
    };
    return lines.filter((line) => reach(line).has(line));
  }

  #assign(start: number): void {
    const cameFrom = new Map<number, number>();
    const queue = [start];
    for (let line = queue.shift(); line !== undefined; line = queue.shift()) {
      for (const payment of this.#paymentsOf.get(line) ?? []) {
        if (cameFrom.has(payment)) continue;
        cameFrom.set(payment, line);
        const owner = this.#lineOfPayment.get(payment);
        if (owner !== undefined) queue.push(owner);
        else {
          this.#flip(payment, cameFrom);
          return;
        }
      }
    }
  }

  #flip(end: number, cameFrom: ReadonlyMap<number, number>): void {
    for (let payment: number | undefined = end; payment !== undefined; ) {
      const line = cameFrom.get(payment) as number;
      const given: number | undefined = this.#paymentOfLine.get(line);
      this.#paymentOfLine.set(line, payment);
      this.#lineOfPayment.set(payment, line);
      payment = given;
    }
  }
}

function append(lists: Map<number, number[]>, key: number, value: number): void {
  const list = lists.get(key);
  if (list === undefined) lists.set(key, [value]);
  else list.push(value);
}
