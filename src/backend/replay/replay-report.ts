import { mkdirSync } from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Blob, Inputs, ReplayItem } from '../../contract/index.ts';
import { formatCsvRow } from '../../domain/csv/csv-row.ts';
import { requireFound } from '../shared/not-found.ts';
import type { ReaderContext } from '../sites/reader-context.ts';
import { listItems, replayOf, replayPlan } from '../store/replay/replay-list.ts';

type ReportInput = Inputs['replay']['report'];

const REPORT_COLUMNS = ['id', 'event', 'outcome', 'sent_at', 'resolved_at', 'last_error'] as const;

/**
 * Writes a replay's report and offers it as a one-time file. CSV has one row per webhook in the order of sending. JSON
 * has the replay, its plan and the rows. A new report replaces the previous one.
 */
export async function offerReplayReport(context: ReaderContext, wanted: ReportInput): Promise<Blob> {
  const { site, job, format } = wanted;
  const { folder } = context.stores.read(site, ({ books, folder }) => {
    requireFound(replayOf(books, site, job), `replay ${job}`, 'See the list of replays.');
    return { folder };
  });
  const into = join(folder, 'exports');
  mkdirSync(into, { recursive: true, mode: 0o700 });
  const name = `replay-${job}.${format}`;
  const temporary = join(into, `${name}.part`);
  const file = await open(temporary, 'w', 0o600);
  try {
    for (const text of format === 'csv' ? asCsv(context, wanted) : asJson(context, wanted)) {
      await file.write(text);
    }
    await file.close();
    await rename(temporary, join(into, name));
  } catch (error) {
    await file.close();
    await rm(temporary, { force: true });
    throw error;
  }
  const type = format === 'csv' ? 'text/csv' : 'application/json';
  return context.shell.blobs.offer({ path: join(into, name), name, type });
}

function* asCsv(context: ReaderContext, wanted: ReportInput): Generator<string> {
  yield formatCsvRow(REPORT_COLUMNS);
  for (const rows of itemBatches(context, wanted)) {
    yield rows.map((row) => formatCsvRow(REPORT_COLUMNS.map((column) => row[column]))).join('');
  }
}

function* asJson({ stores, ...context }: ReaderContext, wanted: ReportInput): Generator<string> {
  const { site, job } = wanted;
  const { replay, plan } = stores.read(site, ({ books }) => {
    const replay = replayOf(books, site, job);
    return { replay, plan: replay === null ? null : replayPlan(books, site, replay.plan) };
  });
  yield `{"replay":${JSON.stringify(replay)},\n"plan":${JSON.stringify(plan)},\n"webhooks":[`;
  let before = '';
  for (const rows of itemBatches({ stores, ...context }, wanted)) {
    yield before + rows.map((row) => `\n${JSON.stringify(row)}`).join(',');
    before = ',';
  }
  yield '\n]}\n';
}

/**
 * Yields up to a thousand rows at a time. Each batch is a separate query, so that other calls are answered in between.
 */
function* itemBatches({ stores }: ReaderContext, { site, job }: ReportInput): Generator<ReplayItem[]> {
  for (let after: string | undefined; ; ) {
    const { rows, next } = stores.read(site, ({ books }) => listItems(books, { job, after, limit: 1000 }));
    if (rows.length > 0) yield rows;
    if (next === null) return;
    after = next;
  }
}
