import { jsonList } from '../shared/json-list.ts';
import type { ReportSource } from './source.ts';

/** Yields the complete report by the contract's `report`, one row per line, so that it is never held in memory. */
export function* reportJson(source: ReportSource): Generator<string> {
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
    yield* jsonList(name, rows);
  }
  yield '}\n';
}
