import { toJsonList } from '../shared/json-list.ts';
import type { ReportSource } from './report-source.ts';

const REPORT_LISTS = [
  ...(['checklist', 'figure_comments', 'flux'] as const),
  ...(['bank_statements', 'ledger_imports', 'journal', 'outstanding', 'customers', 'deferred'] as const),
  ...(['adjustments', 'exceptions'] as const),
  ...(['matches', 'ipe_figures', 'ipe_sources', 'ipe_requests', 'changes', 'audit'] as const),
];

/** Yields the report in the format of the contract's `report`, one row per line, to keep memory use low. */
export function* formatReportJson(source: ReportSource): Generator<string> {
  yield `{"format":"tieout-report","version":1,\n"workpaper":${JSON.stringify(source.workpaper)}`;
  yield `,\n"signatures":${JSON.stringify(source.workpaper.head.signatures)}`;
  for (const name of REPORT_LISTS) {
    yield ',\n';
    yield* toJsonList(name, source[name]());
  }
  yield '}\n';
}
