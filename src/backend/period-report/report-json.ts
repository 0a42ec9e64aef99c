import { toJsonList } from '../shared/json-list.ts';
import type { ReportSource } from './report-source.ts';

/**
 * Yields the entire report in the format of the contract's `report`, one row per line, so that it is never in memory as a
 * whole.
 */
export function* formatReportJson(source: ReportSource): Generator<string> {
  yield `{"format":"tieout-report","version":1,\n"workpaper":${JSON.stringify(source.workpaper)}`;
  const lists = {
    outstanding: source.outstanding(),
    adjustments: source.adjustments(),
    exceptions: source.exceptions(),
    matches: source.matches(),
    changes: source.changes(),
    audit: source.audit(),
  };
  yield `,\n"signatures":${JSON.stringify(source.workpaper.head.signatures)}`;
  for (const [name, rows] of Object.entries(lists)) {
    yield ',\n';
    yield* toJsonList(name, rows);
  }
  yield '}\n';
}
