import { addCents } from '../../domain/ledger/index.ts';
import type { WorkSteps } from '../../domain/work-steps/work-steps.ts';
import type { Contribution } from '../../domain/workpaper/index.ts';

/** Kinds of rows in order of their names. */
const KINDS = [
  'line',
  'match',
  'payment',
  'payout',
  'statement',
  'transaction',
] as const satisfies readonly Contribution['kind'][];

/** Sort key of a contribution: its day, then its kind. `of` is the match or statement that it belongs to, else 0. */
export interface PartKey {
  readonly day: string;
  readonly kind: string;
  readonly id: number;
  readonly of: number;
}

export type Part = PartKey & { readonly kind: Contribution['kind']; readonly cents: number };

/** The contributions of a day in order of arrival. */
interface Day {
  readonly kinds: number[];
  readonly ids: number[];
  readonly ofs: number[];
  readonly cents: number[];
}

interface Columns {
  readonly kinds: Uint8Array;
  readonly ids: Float64Array;
  readonly ofs: Float64Array;
  readonly cents: Float64Array;
}

/** The sorted contributions of a figure. A million of them take about thirty megabytes. */
export class FigureParts {
  readonly count: number;
  /** The figure in cents. */
  readonly sum: number;
  readonly #days: readonly string[];
  /** End position of each day's contributions. */
  readonly #ends: readonly number[];
  readonly #columns: Columns;

  private constructor(days: readonly string[], ends: readonly number[], columns: Columns, sum: number) {
    this.count = columns.ids.length;
    this.sum = sum;
    this.#days = days;
    this.#ends = ends;
    this.#columns = columns;
  }

  /**
   * Collects a figure's contributions from those of many figures, in any order. Throws a RangeError if their sum is no
   * longer exact.
   */
  static *of(
    all: Iterable<Contribution>,
    { figure, currency }: Pick<Contribution, 'figure' | 'currency'>,
  ): WorkSteps<FigureParts> {
    const byDay = new Map<string, Day>();
    let count = 0;
    let sum = 0;
    for (const each of all) {
      yield;
      if (each.figure !== figure || each.currency !== currency) continue;
      const day = each.day ?? '';
      const into = byDay.get(day) ?? { kinds: [], ids: [], ofs: [], cents: [] };
      byDay.set(day, into);
      into.kinds.push(KINDS.indexOf(each.kind));
      into.ids.push(each.id);
      into.ofs.push(each.match ?? each.statement ?? 0);
      into.cents.push(each.cents);
      sum = addCents(sum, each.cents);
      count++;
    }
    const columns: Columns = {
      kinds: new Uint8Array(count),
      ids: new Float64Array(count),
      ofs: new Float64Array(count),
      cents: new Float64Array(count),
    };
    const days = [...byDay.keys()].sort();
    const ends: number[] = [];
    let to = 0;
    for (const day of days) {
      const { kinds, ids, ofs, cents } = byDay.get(day) as Day;
      byDay.delete(day);
      const order = [...ids.keys()].sort(
        (a, b) => kinds[a]! - kinds[b]! || ids[a]! - ids[b]! || ofs[a]! - ofs[b]! || cents[a]! - cents[b]!,
      );
      for (const from of order) {
        columns.kinds[to] = kinds[from]!;
        columns.ids[to] = ids[from]!;
        columns.ofs[to] = ofs[from]!;
        columns.cents[to++] = cents[from]!;
      }
      ends.push(to);
      yield;
    }
    return new FigureParts(days, ends, columns, sum);
  }

  /** Returns the contribution at a position, from 0. */
  at(place: number): Part {
    const { kinds, ids, ofs, cents } = this.#columns;
    return {
      day: this.#days[this.#ends.findIndex((end) => place < end)] as string,
      kind: KINDS[kinds[place] as number] as Part['kind'],
      id: ids[place] as number,
      of: ofs[place] as number,
      cents: cents[place] as number,
    };
  }

  /** Returns the position of the first contribution that is not before a key. */
  placeOf(key: PartKey): number {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(this.at(middle), key)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function isBefore(a: PartKey, b: PartKey): boolean {
  if (a.day !== b.day) return a.day < b.day;
  if (a.kind !== b.kind) return a.kind < b.kind;
  return a.id === b.id ? a.of < b.of : a.id < b.id;
}
