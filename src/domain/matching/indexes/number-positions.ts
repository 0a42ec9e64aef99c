import { IntColumn } from './columns.ts';
import { HASH_SEED, mixHash } from './text-runs.ts';

/** Number of counters per position, one for each kind of id. */
const ID_KIND_SLOTS = 8;
/** Number of observations that the field counts for when one of its positions is rated. Chosen by judgment. */
const FIELD_WEIGHT = 4;
/** Prior observations of a field: this many numbers, of which this many belong to ids. Chosen by judgment. */
const PRIOR_NUMBERS = 4;
const PRIOR_IDS = 3.2;
/** Minimum number of numbers, and maximum share of ids among them, of a position without ids. Chosen by judgment. */
const MIN_NUMBERS_WITHOUT_IDS = 20;
const MAX_ID_SHARE_WITHOUT_IDS = 0.05;
/** Minimum expected share of ids among the known numbers of a position. Chosen by judgment. */
const MIN_ID_SHARE = 0.5;
/** Minimum expected share of one kind of id among the numbers whose amounts are equal. Chosen by judgment. */
const MIN_KIND_SHARE = 0.04;
/** Prior share of ids among numbers that are readable as a date or an amount. Chosen by judgment. */
const PRIOR_SHARE_OF_READABLE = 0.1;
/** Minimum count of equal amounts for a position to contain references. Chosen by judgment. */
const MIN_EQUAL_AMOUNTS = 3;

/** Marks a position of plain numbers, and one of readable numbers without a label. */
const PLAIN = -1;
const UNLABELLED = -2;

/** Result of a payment lookup by number: impossible (0), possible with a different (1) or an equal amount (2). */
export type NumberLookupOutcome = 0 | 1 | 2;

/**
 * Statistics on the positions of numbers in texts, where a position is a field and a preceding word. The share of
 * numbers in a position that belong to impossible payments shows whether ids of payments occur there.
 */
export class NumberPositions {
  readonly #positionOfHash = new Map<number, number>();
  readonly #fieldPosition = new IntColumn();
  /** Per position: position of the plain numbers behind the same label; or one of the constants below. */
  readonly #plainPosition = new IntColumn();
  readonly #equalAmounts = new IntColumn();
  readonly #otherAmounts = new IntColumn();
  readonly #impossible = new IntColumn();
  readonly #unknown = new IntColumn();
  readonly #equalAmountsByKind = new IntColumn();

  /** Returns the index of a position, given its column (account, currency, field) and the hash of the preceding word. */
  getPosition(field: number, wordHash: number): number {
    return this.#register(mixHash(mixHash(HASH_SEED, wordHash), field), field);
  }

  /**
   * Returns the index of the position of numbers that are readable as a date or an amount. They are rated separately from
   * plain numbers, whose rating supports them only behind a label.
   */
  getReadablePosition(field: number, wordHash: number, isLabelled: boolean): number {
    const plain = isLabelled ? this.getPosition(field, wordHash) : UNLABELLED;
    const position = this.#register(mixHash(mixHash(~HASH_SEED, wordHash), field), null);
    this.#plainPosition.set(position, plain);
    return position;
  }

  /** Returns true for a position of numbers that are readable as a date or an amount. */
  isReadable(position: number): boolean {
    return position >= 0 && this.#plainPosition.at(position) !== PLAIN;
  }

  countKnown(position: number, outcome: NumberLookupOutcome, idKind: number): void {
    const column = [this.#impossible, this.#otherAmounts, this.#equalAmounts][outcome] as IntColumn;
    for (const at of this.#withFieldPosition(position)) {
      increment(column, at);
      if (outcome === 2) increment(this.#equalAmountsByKind, at * ID_KIND_SLOTS + idKind);
    }
  }

  countUnknown(position: number): void {
    for (const at of this.#withFieldPosition(position)) increment(this.#unknown, at);
  }

  /** Returns true if most numbers in a position that belong to a payment are ids. The estimate moves smoothly. */
  containsIds(position: number, idKind: number): boolean {
    if (position < 0) return true;
    const equal = this.#equalAmounts.at(position);
    const ofKind = this.#equalAmountsByKind.at(position * ID_KIND_SLOTS + idKind);
    if ((ofKind + 1) / (equal + 2) < MIN_KIND_SHARE) return false;
    return this.#estimateIdShare(position) >= MIN_ID_SHARE;
  }

  /** Returns true if a number in a position has been an id with an equal amount, and most known numbers there are ids. */
  isIdPosition(position: number): boolean {
    return this.#equalAmounts.at(position) > 0 && this.#estimateIdShare(position) >= MIN_ID_SHARE;
  }

  /** Returns true if several numbers in a position have been ids with equal amounts. */
  isUsual(position: number): boolean {
    return position < 0 || this.#equalAmounts.at(position) > MIN_EQUAL_AMOUNTS;
  }

  /** Returns true if the numbers of a position are hardly ever ids, for example card numbers. */
  containsNoIds(position: number): boolean {
    const equal = this.#equalAmounts.at(position);
    const all = this.#countKnown(position) + this.#unknown.at(position);
    return all >= MIN_NUMBERS_WITHOUT_IDS && equal <= all * MAX_ID_SHARE_WITHOUT_IDS;
  }

  /** Returns true if most numbers in a position belong to possible payments, of whatever amount. */
  containsPossibleIds(position: number): boolean {
    if (position < 0) return true;
    const possible = this.#equalAmounts.at(position) + this.#otherAmounts.at(position);
    const prior = this.#estimateReadableShare(position) ?? PRIOR_IDS / PRIOR_NUMBERS;
    return (possible + prior * PRIOR_NUMBERS) / (this.#countKnown(position) + PRIOR_NUMBERS) >= MIN_ID_SHARE;
  }

  #estimateIdShare(position: number): number {
    const field = this.#fieldPosition.at(position);
    const prior =
      this.#estimateReadableShare(position) ??
      (this.#equalAmounts.at(field) + PRIOR_IDS) / (this.#countKnown(field) + PRIOR_NUMBERS);
    const equal = this.#equalAmounts.at(position) + prior * FIELD_WEIGHT;
    return equal / (this.#countKnown(position) + FIELD_WEIGHT);
  }

  /** Returns the expected share of ids in a position of readable numbers; null for a position of plain numbers. */
  #estimateReadableShare(position: number): number | null {
    const plain = this.#plainPosition.at(position);
    if (plain === PLAIN) return null;
    const isSupported = plain !== UNLABELLED && this.#equalAmounts.at(plain) >= MIN_EQUAL_AMOUNTS;
    return isSupported ? this.#estimateIdShare(plain) : PRIOR_SHARE_OF_READABLE;
  }

  #countKnown(position: number): number {
    return this.#equalAmounts.at(position) + this.#otherAmounts.at(position) + this.#impossible.at(position);
  }

  /** Returns true if references occur in this position, so that an unknown one is evidence against a payment. */
  containsReferences(position: number): boolean {
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

  /** Registers a position. `field` is null for readable numbers, which do not rate the field. */
  #register(hash: number, field: number | null): number {
    const knownPosition = this.#positionOfHash.get(hash);
    if (knownPosition !== undefined) return knownPosition;
    const position = this.#equalAmounts.push(0);
    for (const column of [this.#otherAmounts, this.#impossible, this.#unknown]) column.push(0);
    for (let kind = 0; kind < ID_KIND_SLOTS; kind++) this.#equalAmountsByKind.push(0);
    this.#positionOfHash.set(hash, position);
    this.#fieldPosition.push(position);
    this.#plainPosition.push(PLAIN);
    if (field === null) return position;
    const fieldHash = mixHash(0, field);
    if (hash !== fieldHash) this.#fieldPosition.set(position, this.#register(fieldHash, field));
    return position;
  }
}

function increment(column: IntColumn, at: number): void {
  column.set(at, column.at(at) + 1);
}
