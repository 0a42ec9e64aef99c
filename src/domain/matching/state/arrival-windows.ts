import type { MatchAccount } from '../model/match-types.ts';

/** Range of days from a payment to its line, including both ends. Negative if the line comes first. */
export type LagRangeDays = { readonly from: number; readonly to: number };

interface ArrivalWindow {
  /** Range of lags within which a match is likely. */
  readonly usual: LagRangeDays;
  /** Range of lags in which another candidate counts as an alternative. */
  readonly candidate: LagRangeDays;
  readonly typicalLag: number;
}

/** Default range: from two days before the payment (because of time zones) to ten days after it. Chosen by judgment. */
const DEFAULT_RANGE: LagRangeDays = { from: -2, to: 10 };
const DEFAULT_TYPICAL_LAG_DAYS = 2;
/** Smallest lag that is recorded. Chosen by judgment. */
const MIN_RECORDED_LAG_DAYS = -10;
const MAX_RECORDED_LAG_DAYS = 60;
/** Minimum number of recorded lags for learning an account's range. Chosen by judgment. */
const MIN_LAGS_TO_LEARN = 20;
/** Minimum number of recorded lags that extend the default range. Chosen by judgment. */
const MIN_LAGS_TO_EXTEND = 6;
/** Number of days with hardly any lag that end the usual range. Chosen by judgment. */
const GAP_DAYS = 4;
/** Minimum number, and minimum share, of the lags on the next days that extend the usual range. Chosen by judgment. */
const MIN_LAGS_BEYOND = 2;
const MIN_SHARE_BEYOND = 0.002;
/** Minimum number of recorded lags for a learned range without a spare day. Chosen by judgment. */
const MIN_LAGS_WITHOUT_SPARE_DAY = 500;
/** Maximum lag to which a few recorded lags can extend the default range. Chosen by judgment. */
const MAX_EXTENDED_LAG_DAYS = 21;
/** Share of recorded lags that is cut off at each end of a learned range. Chosen by judgment. */
const OUTLIER_SHARE = 0.002;

/**
 * Ranges of days in which money arrives, per account. They are set by the user, or learned from lines whose payment
 * an id proves. Candidates just outside the usual range still count against a match.
 */
export class ArrivalWindows {
  readonly #lagCounts: readonly Int32Array[];
  readonly #windows: ArrivalWindow[] = [];

  constructor(accounts: readonly MatchAccount[]) {
    this.#lagCounts = accounts.map(() => new Int32Array(MAX_RECORDED_LAG_DAYS - MIN_RECORDED_LAG_DAYS + 1));
  }

  /** Records that a line of the account arrived the given number of days after its payment. */
  recordLag(account: number, lagDays: number): void {
    const counts = this.#lagCounts[account] as Int32Array;
    const at = lagDays - MIN_RECORDED_LAG_DAYS;
    if (at >= 0 && at < counts.length) counts[at] = (counts[at] as number) + 1;
  }

  /** Sets each account's window from its setting or from the recorded lags. */
  learn(accounts: readonly MatchAccount[]): void {
    for (const [at, { window }] of accounts.entries())
      this.#windows.push(learnWindow(this.#lagCounts[at] as Int32Array, window));
  }

  getRange(range: 'usual' | 'candidate', account: number): LagRangeDays {
    return (this.#windows[account] as ArrivalWindow)[range];
  }

  /** Returns the median lag of an account in days. */
  getTypicalLag(account: number): number {
    return (this.#windows[account] as ArrivalWindow).typicalLag;
  }
}

function learnWindow(lagCounts: Int32Array, setting: MatchAccount['window']): ArrivalWindow {
  const count = lagCounts.reduce((sum, each) => sum + each, 0);
  const [shortest, longest] = findSupportedRange(lagCounts, count);
  const typicalLag = count === 0 ? DEFAULT_TYPICAL_LAG_DAYS : findQuantile(lagCounts, count, 0.5);
  const createWindow = (usual: LagRangeDays, extraBefore: number, extraAfter: number): ArrivalWindow => ({
    usual,
    candidate: { from: usual.from - extraBefore, to: usual.to + extraAfter },
    typicalLag,
  });
  if (setting !== null) return createWindow({ from: setting.from_days, to: setting.to_days }, 2, 4);
  if (count < MIN_LAGS_TO_EXTEND) return createWindow(DEFAULT_RANGE, 1, 4);
  if (count < MIN_LAGS_TO_LEARN) {
    const from = Math.min(DEFAULT_RANGE.from, shortest);
    const to = Math.max(DEFAULT_RANGE.to, Math.min(longest, MAX_EXTENDED_LAG_DAYS));
    return createWindow({ from, to }, 1, 4);
  }
  const spareDays = count < MIN_LAGS_WITHOUT_SPARE_DAY ? 1 : 0;
  const from = Math.max(findQuantile(lagCounts, count, OUTLIER_SHARE), shortest) - spareDays;
  const to = Math.min(findQuantile(lagCounts, count, 1 - OUTLIER_SHARE), longest) + spareDays;
  const extraBefore = Math.min(Math.max(from - shortest, 0) + 1, 5);
  const extraAfter = Math.min(Math.max(longest - to, 0) + 2, 10);
  return createWindow({ from, to }, extraBefore, extraAfter);
}

/**
 * Returns the shortest and the longest lag around the median without a gap. Lags beyond a gap are outliers, for example
 * of lines that quote last month's reference.
 */
function findSupportedRange(lagCounts: Int32Array, count: number): [shortest: number, longest: number] {
  const median = findQuantile(lagCounts, count, 0.5) - MIN_RECORDED_LAG_DAYS;
  const minLags = Math.max(MIN_LAGS_BEYOND, count * MIN_SHARE_BEYOND);
  const extend = (step: 1 | -1): number => {
    let end = median;
    for (let at = median + step; Math.abs(at - end) <= GAP_DAYS; at += step)
      if (countFrom(lagCounts, at, step) >= minLags && (lagCounts[at] ?? 0) > 0) end = at;
    return end + MIN_RECORDED_LAG_DAYS;
  };
  return [extend(-1), extend(1)];
}

/** Returns the number of lags on a day and on the next days in one direction. */
function countFrom(lagCounts: Int32Array, at: number, step: 1 | -1): number {
  let count = 0;
  for (let day = 0; day < GAP_DAYS; day++) count += lagCounts[at + day * step] ?? 0;
  return count;
}

/** Returns the lag in days at the given quantile of the recorded lags; 0 if none are recorded. */
function findQuantile(lagCounts: Int32Array, count: number, share: number): number {
  let remaining = Math.max(1, Math.ceil(count * share));
  for (const [at, each] of lagCounts.entries()) {
    remaining -= each;
    if (remaining <= 0) return at + MIN_RECORDED_LAG_DAYS;
  }
  return 0;
}
