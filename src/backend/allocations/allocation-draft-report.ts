import { mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { AllocationChange, ContractInputs, OneTimeFileHandle } from '../../contract/index.ts';
import { writeFileDurably } from '../shared/durable-file.ts';
import { listDraftChanges } from '../store/allocations/allocation-draft.ts';
import { toAllocationChange } from '../store/allocations/allocation-draft-list.ts';
import type { AllocationContext } from './allocation-context.ts';
import { openAllocationDraft, requireDisplayedDraft } from './allocation-drafts.ts';

/** Columns of the report, in order. */
const REPORT_COLUMNS = [
  ...['line', 'subscription_id', 'component_id', 'from_quantity', 'quantity', 'memo', 'outcome'],
  ...['resolved_by', 'recorded_at', 'resolved_at', 'problem', 'reason', 'errors', 'row'],
] as const;

/** Writes a draft's changes and their outcomes to a one-time file. */
export async function writeAllocationDraftReport(
  context: AllocationContext,
  input: ContractInputs['allocations']['report'],
): Promise<OneTimeFileHandle> {
  const { site, draft: id, format } = input;
  const { open } = openAllocationDraft(context, input);
  const { books, cache, folder } = open;
  const changes = listDraftChanges(books, id).map((change) => toAllocationChange(books, cache, change));
  const text =
    format === 'json'
      ? `${JSON.stringify({ draft: requireDisplayedDraft(open, id), changes }, null, 2)}\n`
      : [REPORT_COLUMNS.map(csvCell), ...changes.map(toReportRow)]
          .map((cells) => `${cells.join(',')}\r\n`)
          .join('');
  const reports = join(folder, 'reports');
  mkdirSync(reports, { recursive: true, mode: 0o700 });
  for (const old of readdirSync(reports))
    if (old.startsWith('changes-')) rmSync(join(reports, old), { force: true });
  const name = `changes-${id}.${format}`;
  writeFileDurably(join(reports, name), text);
  const type = format === 'json' ? 'application/json' : 'text/csv';
  return context.shell.blobs.offer({ path: join('sites', site, 'reports', name), name, type });
}

function toReportRow(change: AllocationChange): string[] {
  const { problem_text, error, evidence, applied } = change;
  return [
    change.line ?? change.ordinal + 1,
    change.subscription_id,
    change.component_id,
    change.current_quantity,
    change.quantity,
    change.memo,
    change.problem === null ? change.outcome : 'not_sent',
    change.resolved_by,
    applied?.timestamp,
    change.resolved_at,
    change.problem,
    problem_text ?? error?.message ?? (change.outcome === 'applied' ? null : evidence?.verdict),
    error?.errors?.join(' '),
    change.problem === 'unreadable' ? change.raw : null,
  ].map(csvCell);
}

/** Matches text that a spreadsheet may execute as a formula, also after spaces or in full-width characters. */
const FORMULA_START = /^[\s\u200b\ufeff]*[=+\-@\uff1d\uff0b\uff0d\uff20\t\r\n]/u;

/** Returns a CSV cell. Text that a spreadsheet could execute gets a leading `'`. Numbers stay unchanged. */
function csvCell(value: string | number | null | undefined): string {
  const text = String(value ?? '');
  const guarded = FORMULA_START.test(text) && !/^-?\d+(\.\d+)?$/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(guarded) ? `"${guarded.replaceAll('"', '""')}"` : guarded;
}
