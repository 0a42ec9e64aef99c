import { type ArchiveExport, contractError, type Job } from '../../contract/index.ts';
import { counted } from '../../domain/counted.ts';
import { folderSink } from '../bag/folder-sink.ts';
import type { SourceFile } from '../bag/sink.ts';
import { openBag } from '../bag/source.ts';
import { verifyBag } from '../bag/verify-bag.ts';
import { type BagContent, payload, type WrittenBag, writeBag } from '../bag/write-bag.ts';
import { zipSink } from '../bag/zip-sink.ts';
import type { Changes } from '../jobs/changes.ts';
import type { JobHandle, Jobs } from '../jobs/jobs.ts';
import type { OpenSite, Stores } from '../sites/stores.ts';
import {
  countExported,
  type ExportItem,
  exportItems,
  type StoredExport,
  saveExport,
  storedExport,
} from '../store/archive/archive-export.ts';
import { addAudit } from '../store/books/audit.ts';
import { commit } from '../store/database.ts';
import { isoMoment } from '../store/moment.ts';
import { indexCsv, indexJson, statementPath } from './export-index.ts';
import { mergedVolumes } from './merged-volumes.ts';
import { pdfPath } from './store.ts';

export interface ExportTools {
  stores: Stores;
  jobs: Jobs;
  changes: Changes;
  user: string;
  now: () => number;
}

/** Writes a planned export, or goes on with one that was stopped. Throws `not_found`, and `conflict` for one that is done. */
export function startExport(tools: ExportTools, site: string, id: string): Job {
  const open = tools.stores.open(site);
  const kept = storedExport(open.books, id);
  if (kept === null) throw contractError(noExport(site, id));
  const job = tools.jobs.start({
    site,
    kind: 'archive',
    what: 'an export',
    books: open.books,
    run: (handle) => perform(tools, open, kept, handle),
    ended: (state) => {
      if (state === 'done') return;
      const { job, result } = storedExport(open.books, id) as StoredExport;
      saveExport(open.books, id, {
        state: state as 'failed' | 'cancelled' | 'interrupted',
        job,
        result,
        ended_at: tools.now(),
      });
      tools.changes.tell(site, 'archive');
    },
  });
  saveExport(open.books, id, { state: 'running', job: job.id, ended_at: null, result: null });
  tools.changes.tell(site, 'archive');
  return job;
}

async function perform(
  tools: ExportTools,
  open: OpenSite,
  kept: StoredExport,
  job: JobHandle,
): Promise<string> {
  const { books } = open;
  const sink =
    kept.target_kind === 'folder'
      ? await folderSink(kept.target_path)
      : await zipSink(kept.target_path, kept.made_at);
  const total = countExported(books, kept.id);
  job.progress('export', { done: 0, total, failed: 0, current: kept.target_path });
  let bag: WrittenBag;
  try {
    bag = await writeBag(sink, contentOf(open, kept, job), {
      signal: job.signal,
      progress: (done) => job.progress('export', { done, total }),
    });
  } catch (error) {
    await sink.abandon();
    throw error;
  }

  const verdict = await verify(kept.target_path, job);
  const result: NonNullable<ArchiveExport['result']> = { ...bag, problems: verdict.wrong };
  const at = tools.now();
  commit(books, () => {
    saveExport(books, kept.id, { state: 'done', job: job.id, ended_at: at, result: JSON.stringify(result) });
    const { written, kept: same, files, bytes, receipt } = bag;
    const detail = {
      target: kept.target_path,
      written,
      kept: same,
      files,
      bytes,
      receipt,
      problems: verdict.wrong,
    };
    addAudit(books, { at, who: tools.user, action: 'archive.export', subject: kept.id, detail });
  });
  tools.changes.tell(job.site, 'archive', 'audit');
  return sentence(kept, bag, verdict.wrong);
}

function contentOf({ books, folder, file: site }: OpenSite, kept: StoredExport, job: JobHandle): BagContent {
  const items = () => exportItems(books, kept.id);
  const pathOf = (item: ExportItem) => payload(statementPath(item));
  function* files(): Generator<SourceFile> {
    for (const item of items()) {
      if (item.sha256 === null || item.bytes === null) continue;
      yield {
        path: pathOf(item),
        source: pdfPath(folder, item.sha256),
        sha256: item.sha256,
        bytes: item.bytes,
      };
    }
  }
  async function* volumes() {
    for await (const { path, bytes } of mergedVolumes(folder, items(), kept.made_at, job.signal)) {
      yield { path: payload(path), bytes };
    }
  }
  return {
    files,
    ...(kept.merged === 1 ? { made: volumes } : {}),
    tables: (isIn: (path: string) => boolean) => {
      const held = (item: ExportItem) => item.sha256 !== null && isIn(pathOf(item));
      return [
        [payload('index.csv'), indexCsv(items(), held)] as const,
        [payload('index.json'), indexJson(items(), held)] as const,
      ];
    },
    info: [
      ['Source-Organization', site.title],
      ['External-Description', `Statement PDFs: ${kept.description}`],
      ['External-Identifier', kept.id],
      ['Bag-Software-Agent', 'Tieout'],
    ] as const,
    date: isoMoment(kept.made_at).slice(0, 10),
  };
}

/** What was written is read again before it is called done. */
async function verify(path: string, job: JobHandle) {
  const source = await openBag(path);
  try {
    return await verifyBag(source, {
      signal: job.signal,
      progress: (done, total) => job.progress('verify', { done, total }),
    });
  } finally {
    source.close();
  }
}

function sentence(
  kept: StoredExport,
  { written, kept: same, damaged }: WrittenBag,
  problems: number,
): string {
  const parts = [`${counted(written, 'PDF')} written`];
  if (same > 0) parts.push(`${same} there already`);
  if (kept.not_held > 0) parts.push(`${kept.not_held} without a PDF in the archive`);
  if (damaged.length > 0) parts.push(`${damaged.length} left out, as their files are damaged`);
  const checked = problems === 0 ? 'read again and sound' : `read again: ${counted(problems, 'problem')}`;
  return `${parts.join(', ')}; ${checked}.`;
}

function noExport(site: string, id: string) {
  return {
    code: 'not_found' as const,
    message: `There is no export ${id} on ${site}.`,
    hint: 'Plan one first.',
    retryable: false,
  };
}
