import { mkdirSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ContractInputs, OneTimeFileHandle, ReplayItem } from '../../contract/index.ts';
import { formatCsvRow } from '../../domain/csv/csv-row.ts';
import { requireRecord } from '../shared/require-record.ts';
import type { ReaderContext } from '../sites/reader-context.ts';
import { getReplay, getReplayPlan, listReplayItems } from '../store/replay/replay-list.ts';

type ReportInput = ContractInputs['replay']['report'];

const REPORT_COLUMNS = ['id', 'event', 'outcome', 'sent_at', 'resolved_at', 'last_error'] as const;

/** Writes a report with one row per webhook in the order of sending, and offers it as a one-time file. */
export async function offerReplayReport(
  context: ReaderContext,
  request: ReportInput,
): Promise<OneTimeFileHandle> {
  const { site, job, format } = request;
  const { folder } = context.stores.read(site, ({ books, folder }) => {
    requireRecord(getReplay(books, site, job), `replay ${job}`, 'See the list of replays.');
    return { folder };
  });
  const exportFolder = join(folder, 'exports');
  mkdirSync(exportFolder, { recursive: true, mode: 0o700 });
  const name = `replay-${job}.${format}`;
  const temporaryPath = join(exportFolder, `${name}.part`);
  const file = await open(temporaryPath, 'w', 0o600);
  try {
    for (const text of format === 'csv'
      ? formatCsvReport(context, request)
      : formatJsonReport(context, request)) {
      await file.write(text);
    }
    await file.close();
    await rename(temporaryPath, join(exportFolder, name));
  } catch (error) {
    await file.close();
    await rm(temporaryPath, { force: true });
    throw error;
  }
  const type = format === 'csv' ? 'text/csv' : 'application/json';
  return context.shell.blobs.offer({ path: join(exportFolder, name), name, type });
}

function* formatCsvReport(context: ReaderContext, request: ReportInput): Generator<string> {
  yield formatCsvRow(REPORT_COLUMNS);
  for (const rows of readItemBatches(context, request)) {
    yield rows.map((row) => formatCsvRow(REPORT_COLUMNS.map((column) => row[column]))).join('');
  }
}

function* formatJsonReport({ stores, ...context }: ReaderContext, request: ReportInput): Generator<string> {
  const { site, job } = request;
  const { replay, plan } = stores.read(site, ({ books }) => {
    const replay = getReplay(books, site, job);
    return { replay, plan: replay === null ? null : getReplayPlan(books, site, replay.plan) };
  });
  yield `{"replay":${JSON.stringify(replay)},\n"plan":${JSON.stringify(plan)},\n"webhooks":[`;
  let before = '';
  for (const rows of readItemBatches({ stores, ...context }, request)) {
    yield before + rows.map((row) => `\n${JSON.stringify(row)}`).join(',');
    before = ',';
  }
  yield '\n]}\n';
}

/** Yields batches of up to a thousand rows, each a separate query, so that the thread can serve other calls. */
function* readItemBatches({ stores }: ReaderContext, { site, job }: ReportInput): Generator<ReplayItem[]> {
  for (let after: string | undefined; ; ) {
    const { rows, next } = stores.read(site, ({ books }) =>
      listReplayItems(books, { job, after, limit: 1000 }),
    );
    if (rows.length > 0) yield rows;
    if (next === null) return;
    after = next;
  }
}
