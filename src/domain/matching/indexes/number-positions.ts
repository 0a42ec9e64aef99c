import { IntColumn } from './columns.ts';
import { HASH_SEED, mixHash } from './text-runs.ts';

/** Number of counters per position, one for each kind of id. */
const ID_KIND_SLOTS = 8;
/** Minimum count of known numbers for judging a position by itself instead of by its field. Chosen by judgment. */
const MIN_KNOWN_NUMBERS = 20;
/** Minimum share of one kind of id among the numbers whose amounts are equal. Chosen by judgment. */
const MIN_KIND_SHARE = 0.15;
/** Minimum count of equal amounts for a position to contain references. Chosen by judgment. */
const MIN_EQUAL_AMOUNTS = 3;

/**
 * Result of looking up a number as a payment id: the payment is impossible (0), possible with a different amount (1) or
 * possible with an equal amount (2).
 */
export type NumberLookupOutcome = 0 | 1 | 2;

/**
 * Statistics on the positions of numbers in texts, where a position is a field and a preceding word. Texts contain many
 * unrelated numbers. The share of numbers in a position that belong to impossible payments shows whether ids of our
 * payments occur there.
 */
export class NumberPositions {
  readonly #positionOfHash = new Map<number, number>();
  readonly #fieldPosition = new IntColumn();
  readonly #equalAmounts = new IntColumn();
  readonly #otherAmounts = new IntColumn();
  readonly #impossible = new IntColumn();
  readonly #unknown = new IntColumn();
  readonly #equalAmountsByKind = new IntColumn();

  /** Returns the index of a position, given its field and the hash of the preceding word. */
  positionOf(field: number, wordHash: number): number {
    return this.#register(mixHash(mixHash(HASH_SEED, wordHash), field), field);
  }

  /** Counts a number that is the id of a payment. */
  countKnown(position: number, outcome: NumberLookupOutcome, idKind: number): void {
    const column = [this.#impossible, this.#otherAmounts, this.#equalAmounts][outcome] as IntColumn;
    for (const at of this.#withFieldPosition(position)) {
      increment(column, at);
      if (outcome === 2) increment(this.#equalAmountsByKind, at * ID_KIND_SLOTS + idKind);
    }
  }

  /** Counts a number that is the id of no known record. */
  countUnknown(position: number): void {
    for (const at of this.#withFieldPosition(position)) increment(this.#unknown, at);
  }

  /**
   * Returns true if the numbers in a position are ids of one kind: nearly all that belong to a payment belong to a
   * possible one.
   */
  holdsIds(position: number, idKind: number): boolean {
    if (position < 0) return true;
    const known =
      this.#equalAmounts.at(position) + this.#otherAmounts.at(position) + this.#impossible.at(position);
    const at = known < MIN_KNOWN_NUMBERS ? this.#fieldPosition.at(position) : position;
    const equal = this.#equalAmounts.at(at);
    const ofKind = this.#equalAmountsByKind.at(at * ID_KIND_SLOTS + idKind);
    if (equal >= MIN_KNOWN_NUMBERS && ofKind < equal * MIN_KIND_SHARE) return false;
    return this.#isMostlyPossible(at) && this.#otherAmounts.at(at) <= 3 + equal * 0.5;
  }

  /**
   * Returns true if lines have their reference in this position, so that an unknown reference is evidence against a
   * payment.
   */
  holdsReferences(position: number): boolean {
    const equal = this.#equalAmounts.at(position);
    return (
      equal >= MIN_EQUAL_AMOUNTS &&
      this.#isMostlyPossible(position) &&
      this.#unknown.at(position) <= 1 + equal * 0.15
    );
  }

  #isMostlyPossible(position: number): boolean {
    return this.#impossible.at(position) <= 2 + this.#equalAmounts.at(position) * 0.02;
  }

  #withFieldPosition(position: number): readonly number[] {
    const fieldPosition = this.#fieldPosition.at(position);
    return fieldPosition === position ? [position] : [position, fieldPosition];
  }

  #register(hash: number, field: number): number {
    const known = this.#positionOfHash.get(hash);
    if (known !== undefined) return known;
    const position = this.#equalAmounts.push(0);
    for (const column of [this.#otherAmounts, this.#impossible, this.#unknown]) column.push(0);
    for (let kind = 0; kind < ID_KIND_SLOTS; kind++) this.#equalAmountsByKind.push(0);
    this.#positionOfHash.set(hash, position);
    this.#fieldPosition.push(position);
    const fieldHash = mixHash(0, field);
    if (hash !== fieldHash) this.#fieldPosition.set(position, this.#register(fieldHash, field));
    return position;
  }
}

function increment(column: IntColumn, at: number): void {
  column.set(at, column.at(at) + 1);
}
