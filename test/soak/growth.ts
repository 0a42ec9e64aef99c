/** Sizes at the end of a simulated day, in bytes, and the number of open file descriptors. */
export interface SoakSample {
  readonly day: number;
  readonly rss: number;
  readonly heap: number;
  readonly descriptors: number;
  readonly wal: number;
  readonly log: number;
  readonly databases: number;
}

/** Largest growth per day after warm-up, chosen by judgment. The databases may grow with the records. */
export const growthLimits = { rss: 4e6, heap: 2e6, descriptors: 0.5, wal: 1e6, log: 1e5 } as const;

/** Fewest days from which a trend is judged, after the first third of the days as warm-up. */
const MIN_DAYS = 9;

/** Returns the growth per day of each limited size by a least-squares fit, or null if there are too few days. */
export function fitGrowth(samples: readonly SoakSample[]): Record<keyof typeof growthLimits, number> | null {
  if (samples.length < MIN_DAYS) return null;
  const measured = samples.slice(Math.floor(samples.length / 3));
  const slope = (name: keyof typeof growthLimits) => {
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    const days = measured.map(({ day }) => day);
    const values = measured.map((sample) => sample[name]);
    const [day, value] = [mean(days), mean(values)];
    const rise = days.reduce((sum, x, at) => sum + (x - day) * ((values[at] ?? 0) - value), 0);
    return rise / days.reduce((sum, x) => sum + (x - day) ** 2, 0);
  };
  return {
    rss: slope('rss'),
    heap: slope('heap'),
    descriptors: slope('descriptors'),
    wal: slope('wal'),
    log: slope('log'),
  };
}
