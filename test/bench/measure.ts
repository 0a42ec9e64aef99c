/* biome-ignore-all lint/suspicious/noConsole: a benchmark prints what it measured */

/** A figure with its baseline from the same run. */
export interface Measurement {
  name: string;
  value: number;
  unit: string;
  baseline: number;
  /** Null if the baseline is 0. */
  ratio: number | null;
  n: number;
  spread: number;
}

export function printMeasurement(measure: Measurement): void {
  const rounded = Object.entries(measure).map(([key, value]) => [
    key,
    typeof value === 'number' ? Number(value.toPrecision(5)) : value,
  ]);
  console.log(JSON.stringify(Object.fromEntries(rounded)));
}

/** Prints a figure and its ratio to the baseline. */
export function reportMeasurement(
  name: string,
  unit: string,
  value: number,
  baseline: number,
  n: number,
  spread: number,
): void {
  printMeasurement({
    name,
    value,
    unit,
    baseline,
    ratio: baseline === 0 ? null : value / baseline,
    n,
    spread,
  });
}

/**
 * Returns the CPU time of the process for a function, garbage collection included, in ms. Other load on the machine
 * hardly affects it.
 */
export function measureTime<T>(work: () => T): [ms: number, result: T] {
  const before = process.cpuUsage();
  const result = work();
  return [since(before), result];
}

/** Returns the CPU time of the process for an asynchronous function, in ms. */
export async function measureCpu(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  return since(before);
}

function since(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

export const getShortestTime = (turns: readonly number[]): number => Math.min(...turns);

/** Difference between the longest and the best time, as a share of the best. */
export const getRelativeSpread = (turns: readonly number[]): number =>
  Math.max(...turns) / getShortestTime(turns) - 1;
