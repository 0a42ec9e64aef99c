import type { MatchAccount } from './model.ts';

/** Days from a payment to its line, both included. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

/** The usual, where nothing is known: a day early by another time zone, two weeks late at most. */
const USUAL: Span = { from: -2, to: 10 };
const EXPECTED = 2;
const LEAST = -10;
const MOST = 60;
const ENOUGH = 20;

/**
 * How long money takes to arrive, by account: as the user says, else as those lines show whose payment an id proves. `sure` is where a
 * match may lie; `wide` is where another one is a rival, so that what is just outside the usual still counts against.
 */
export class Windows {
  readonly #seen: readonly Int32Array[];
  readonly #spans: { sure: Span; wide: Span; middle: number }[] = [];

  constructor(accounts: readonly MatchAccount[]) {
    this.#seen = accounts.map(() => new Int32Array(MOST - LEAST + 1));
  }

  /** A line of the account is a payment’s, so many days after it. */
  see(account: number, lag: number): void {
    const seen = this.#seen[account] as Int32Array;
    const at = lag - LEAST;
    if (at >= 0 && at < seen.length) seen[at] = (seen[at] as number) + 1;
  }

  learn(accounts: readonly MatchAccount[]): void {
    for (const [at, { window }] of accounts.entries()) {
      const seen = this.#seen[at] as Int32Array;
      const count = seen.reduce((sum, each) => sum + each, 0);
      const least = quantile(seen, count, 0);
      const most = quantile(seen, count, 1);
      const usual = count === 0 ? EXPECTED : quantile(seen, count, 0.5);
      if (window !== null) {
        this.#spans.push(around({ from: window.from_days, to: window.to_days }, 2, 4, usual));
      } else if (count < ENOUGH) {
        const from = count === 0 ? USUAL.from : Math.min(USUAL.from, least);
        const to = count === 0 ? USUAL.to : Math.max(USUAL.to, Math.min(most, 21));
        this.#spans.push(around({ from, to }, 1, 4, usual));
      } else {
        const spare = count < 500 ? 1 : 0;
        const from = quantile(seen, count, 0.002) - spare;
        const to = quantile(seen, count, 0.998) + spare;
        const early = Math.min(Math.max(from - least, 0) + 1, 5);
        const late = Math.min(Math.max(most - to, 0) + 2, 10);
        this.#spans.push(around({ from, to }, early, late, usual));
      }
    }
  }

  sure(account: number): Span {
    return (this.#spans[account] as { sure: Span }).sure;
  }

  wide(account: number): Span {
    return (this.#spans[account] as { wide: Span }).wide;
  }

  /** What is most to be expected. */
  middle(account: number): number {
    return (this.#spans[account] as { middle: number }).middle;
  }
}

function around(
  sure: Span,
  early: number,
  late: number,
  middle: number,
): { sure: Span; wide: Span; middle: number } {
  return { sure, wide: { from: sure.from - early, to: sure.to + late }, middle };
}

/** The lag below which that part of what was seen lies; 0 where nothing was. */
function quantile(seen: Int32Array, count: number, part: number): number {
  let rest = Math.max(1, Math.ceil(count * part));
  for (const [at, each] of seen.entries()) {
    rest -= each;
    if (rest <= 0) return at + LEAST;
  }
  return 0;
}
