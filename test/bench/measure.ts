/* biome-ignore-all lint/suspicious/noConsole: a benchmark prints what it measured */

/** A figure beside its baseline from the same run. */
export interface Measure {
  name: string;
  value: number;
  unit: string;
  baseline: number;
  ratio: number;
  n: number;
  spread: number;
}

export function print(measure: Measure): void {
  const rounded = Object.entries(measure).map(([key, value]) => [
    key,
    typeof value === 'number' ? Number(value.toPrecision(4)) : value,
  ]);
  console.log(JSON.stringify(Object.fromEntries(rounded)));
}
