import { hashNumbers, randomTopics } from './seeded-random.ts';

/** Ids that ascend with time and have gaps, as on a service that many sites share. A row follows from its id. */
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
    const offset = hashNumbers(this.#seed, row, randomTopics.id, this.#gap) % this.#gap;
    return this.#first + row * this.#gap + offset;
  }

  /** Returns the row of an id; -1 if no row can have it. */
  row(id: number): number {
    const row = Math.floor((id - this.#first) / this.#gap);
    return row >= 0 && this.id(row) === id ? row : -1;
  }
}

/** Sequence of ids for records within a statement. Each statement has 32 ids, then ids from a separate range follow. */
class NestedSequence {
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

export type RecordIds = ReturnType<typeof createRecordIds>;

export const createRecordIds = (seed: number) => ({
  webhook: new Sequence(seed, 941_765_000, 24),
  statement: new Sequence(seed, 80_168_000, 7),
  subscription: new Sequence(seed, 15_100_100, 5),
  customer: new Sequence(seed, 14_585_600, 5),
  transaction: new NestedSequence(161_537_300, 5_000_000_000),
  event: new NestedSequence(346_956_500, 1_000_000_000_000),
});
