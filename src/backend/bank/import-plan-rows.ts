import type { ImportPlanRow } from '../../contract/index.ts';
import {
  type BankLineWithVerdict,
  type ImportPlanRowQuery,
  listStoredPlanRows,
} from '../store/bank/import-plan-rows.ts';
import type { SkippedFileRow } from '../store/bank/import-plan-store.ts';
import type { StoredImportPlan } from './import-plan.ts';

/**
 * Returns a page of a plan's rows in file order, each with its verdict and the reason. Throws `validation` if the cursor
 * belongs to another list.
 */
export function listImportPlanRows(
  plan: StoredImportPlan,
  query: ImportPlanRowQuery,
): { rows: ImportPlanRow[]; next: string | null; total: { count: number; exact: boolean } | null } {
  const { rows, next } = listStoredPlanRows(plan.rows, query);
  const { rows: all, needs_review } = plan.preview;
  const counts = query.remarked ? { ...all, new: needs_review } : all;
  const verdicts = query.verdict ?? (['new', 'duplicate', 'failed', 'skipped'] as const);
  const count = [...new Set(verdicts)].reduce((sum, each) => sum + counts[each], 0);
  return {
    rows: rows.map((row) => ('raw' in row ? toUnreadPlanRow(row) : toPlanRow(plan, row))),
    next,
    total: query.after === undefined ? { count, exact: true } : null,
  };
}

function toPlanRow({ file }: StoredImportPlan, line: BankLineWithVerdict): ImportPlanRow {
  const { verdict, stored, remarks, statement } = line;
  const reasons = {
    new: remarks,
    duplicate: `The same line is stored as ${stored}.`,
    skipped: `It belongs to account ${file.statements[statement]?.account ?? ''}.`,
  };
  return {
    row: line.row,
    location: line.location,
    verdict,
    reason: reasons[verdict],
    raw: null,
    booked_on: line.booked_on,
    value_on: line.value_on,
    amount_in_cents: line.amount_in_cents,
    currency: line.currency,
    kind: line.kind,
    description: line.description,
    reference: line.reference,
    counterparty: line.counterparty,
    bank_id: line.bank_id || null,
    stored,
  };
}

const toUnreadPlanRow = (row: SkippedFileRow): ImportPlanRow => ({
  ...row,
  booked_on: null,
  value_on: null,
  amount_in_cents: null,
  currency: null,
  kind: null,
  description: null,
  reference: null,
  counterparty: null,
  bank_id: null,
  stored: null,
});
