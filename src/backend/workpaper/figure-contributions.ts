import { addCents } from '../../domain/ledger/index.ts';
import type { WorkSteps } from '../../domain/work-steps/work-steps.ts';
import { figureRowKinds, type RowContribution } from '../../domain/workpaper/index.ts';

/** Sort key of a contribution. `parentId` is the id of its match or statement, or 0 if it has neither. */
export interface ContributionKey {
  readonly day: string;
  readonly kind: string;
  readonly id: number;
  readonly parentId: number;
}

export type FigureContribution = ContributionKey & {
  readonly kind: RowContribution['kind'];
  readonly cents: number;
};

/** Contributions of one day, in order of arrival, as parallel arrays. */
interface DayContributions {
  readonly kinds: number[];
  readonly ids: number[];
  readonly parentIds: number[];
  readonly cents: number[];
}

interface ContributionColumns {
  readonly kinds: Uint8Array;
  readonly ids: Float64Array;
  readonly parentIds: Float64Array;
  readonly cents: Float64Array;
}

/** Sorted contributions to a figure, stored in typed arrays. One million contributions take about 30 MB. */
export class FigureContributions {
  readonly count: number;
  /** Total of all contributions in cents, which is the figure itself. */
  readonly sum: number;
  readonly #days: readonly string[];
  /** Index after the last contribution of each day. */
  readonly #ends: readonly number[];
  readonly #columns: ContributionColumns;

  private constructor(
    days: readonly string[],
    ends: readonly number[],
    columns: ContributionColumns,
    sum: number,
  ) {
    this.count = columns.ids.length;
    this.sum = sum;
    this.#days = days;
    this.#ends = ends;
    this.#columns = columns;
  }

  /** Collects and sorts the contributions to one figure. Throws a RangeError if their total is not an exact integer. */
  static *of(
    all: Iterable<RowContribution | null>,
    { figure, currency }: Pick<RowContribution, 'figure' | 'currency'>,
  ): WorkSteps<FigureContributions> {
    const byDay = new Map<string, DayContributions>();
    let count = 0;
    let sum = 0;
    for (const each of all) {
      yield;
      if (each?.figure !== figure || each.currency !== currency) continue;
      const day = each.day ?? '';
      const ofDay = byDay.get(day) ?? { kinds: [], ids: [], parentIds: [], cents: [] };
      byDay.set(day, ofDay);
      ofDay.kinds.push(figureRowKinds.indexOf(each.kind));
      ofDay.ids.push(each.id);
      ofDay.parentIds.push(each.match ?? each.statement ?? 0);
      ofDay.cents.push(each.cents);
      sum = addCents(sum, each.cents);
      count++;
    }
    const columns: ContributionColumns = {
      kinds: new Uint8Array(count),
      ids: new Float64Array(count),
      parentIds: new Float64Array(count),
      cents: new Float64Array(count),
    };
    const days = [...byDay.keys()].sort();
    const ends: number[] = [];
    let to = 0;
    for (const day of days) {
      const { kinds, ids, parentIds, cents } = byDay.get(day) as DayContributions;
      byDay.delete(day);
      const order = [...ids.keys()].sort(
        (a, b) =>
          kinds[a]! - kinds[b]! ||
          ids[a]! - ids[b]! ||
          parentIds[a]! - parentIds[b]! ||
          cents[a]! - cents[b]!,
      );
      for (const from of order) {
        columns.kinds[to] = kinds[from]!;
        columns.ids[to] = ids[from]!;
        columns.parentIds[to] = parentIds[from]!;
        columns.cents[to++] = cents[from]!;
      }
      ends.push(to);
      yield;
    }
    return new FigureContributions(days, ends, columns, sum);
  }

  /** Returns the contribution at a 0-based index. */
  get(index: number): FigureContribution {
    const { kinds, ids, parentIds, cents } = this.#columns;
    return {
      day: this.#days[this.#ends.findIndex((end) => index < end)] as string,
      kind: figureRowKinds[kinds[index] as number] as FigureContribution['kind'],
      id: ids[index] as number,
      parentId: parentIds[index] as number,
      cents: cents[index] as number,
    };
  }

  /** Returns the index of the first contribution whose key is not less than the given key. */
  indexOfKey(key: ContributionKey): number {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBefore(this.get(middle), key)) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

function isBefore(a: ContributionKey, b: ContributionKey): boolean {
  if (a.day !== b.day) return a.day < b.day;
  if (a.kind !== b.kind) return a.kind < b.kind;
  return a.id === b.id ? a.parentId < b.parentId : a.id < b.id;
}
