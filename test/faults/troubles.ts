import type { FaultSpec } from '../../src/sandbox/index.ts';

/** Network and service faults that any sync may meet, and no fault. Each model adds its own. */
export const TROUBLES: readonly FaultSpec[] = [
  {},
  { error_rate: 0.1 },
  { busy_rate: 0.05, retry_after: 0 },
  { cut_rate: 0.05, half_rate: 0.05 },
  { short_rate: 0.05, type_rate: 0.2 },
  { html_rate: 0.03 },
  { stale_page_rate: 0.1 },
  { burst: [20, 3] },
];

export const DAY = 86_400_000;
