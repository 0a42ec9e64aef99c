import { hash, topic } from './random.ts';

/**
 * Identifiers ascend with time, with gaps as on a service that many sites share, and lead back to the row they name
 * without a table.
 */
class Sequence {
  readonly #seed: number;
  readonly #first: number;
  readonly #gap: number;

  constructor(seed: number, first: number, gap: number) {
    this.#seed = seed;
    this.#first = first;
    this.#gap = gap;
  }

  id(row: number): number {
    return this.#first + row * this.#gap + (hash(this.#seed, row, topic.id, this.#gap) % this.#gap);
  }

  /** The row of an id, or -1 where no row could have it. */
  row(id: number): number {
    const row = Math.floor((id - this.#first) / this.#gap);
    return row >= 0 && this.id(row) === id ? row : -1;
  }
}

/** Ids of things within a statement: 32 to a statement, further ones from a range of their own. */
class Within {
  readonly #first: number;
  readonly #overflow: number;

  constructor(first: number, overflow: number) {
    this.#first = first;
    this.#overflow = overflow;
  }

  id(statement: number, n: number): number {
    return n < 32 ? this.#first + statement * 32 + n : this.#overflow + statement * 65_536 + n;
  }
}

export interface Ids {
  readonly webhook: Sequence;
  readonly statement: Sequence;
  readonly subscription: Sequence;
  readonly customer: Sequence;
  readonly transaction: Within;
  readonly event: Within;
}

export const idsOf = (seed: number): Ids => ({
  webhook: new Sequence(seed, 941_765_000, 24),
  statement: new Sequence(seed, 80_168_000, 7),
  subscription: new Sequence(seed, 15_100_100, 5),
  customer: new Sequence(seed, 14_585_600, 5),
  transaction: new Within(161_537_300, 5_000_000_000),
  event: new Within(346_956_500, 1_000_000_000_000),
});
