import { formatCsvRow } from '../../domain/csv/csv-row.ts';
import { getPdfPath } from '../archive/pdf-files.ts';
import { getPayloadPath, type ManifestEntry } from '../bagit/bag-format.ts';
import type { ExportSourceFile, GeneratedContent } from '../bagit/bag-target.ts';
import type { BagContent } from '../bagit/write-bag.ts';
import { getSourceFilePath } from '../bank/bank-file-uploads.ts';
import { formatTableCsv } from '../period-report/report-csv.ts';
import type { PeriodEvidence } from '../period-report/report-source.ts';
import { buildSchedulesTable, listReportTables } from '../period-report/report-tables.ts';
import type { ExportCandidate } from '../store/archive/export-candidates.ts';
import { findLatestPdf } from '../store/archive/statement-pdf.ts';
import { formatCommentSubject, type StoredComment } from '../store/comments/comment.ts';
import type { EvidencePackCells, EvidencePackSource } from '../store/evidence-pack/pack-rows.ts';
import { FIGURE_ROW_COLUMNS, toFigureRowCells } from '../workpaper/ipe/figure-proofs.ts';
import { formatRecordRows, recordTables } from '../workpaper/ipe/record-tables.ts';
import type { PeriodLists } from '../workpaper/report-lists.ts';
import type { SiteSnapshot } from '../workpaper/site-snapshot.ts';
import { formatFiguresJson } from '../workpaper/workpaper.ts';
import { readWorkpaperSettings } from '../workpaper/workpaper-settings.ts';
import type { WorkpaperSite } from '../workpaper/workpaper-site.ts';
import { formatCommentsCsv, getAttachmentPath, listPackComments } from './pack-comments.ts';
import { formatDecisionsJson } from './pack-decisions.ts';
import { PACK_README } from './pack-readme.ts';

export interface EvidencePackSources {
  readonly site: SiteSnapshot;
  readonly report: PeriodEvidence;
  /** Files of the period report, already written to disk. */
  readonly reports: readonly ExportSourceFile[];
  readonly made_by: string;
  /** Time of the export in UTC milliseconds. */
  readonly now: number;
  /** Records the pack's files in the audit log. Yields the text of the log up to this entry. */
  recordFiles(files: readonly ManifestEntry[]): Iterable<string>;
}

/** Audit action that records the checksums of a pack's files, as the last entry of the pack's audit log. */
export const PACK_FILES_ACTION = 'pack.files';

/** Paths of the pack's files that a verification reads. */
export const packPaths = {
  info: getPayloadPath('pack.json'),
  figures: getPayloadPath('figures.json'),
  auditLog: getPayloadPath('audit.jsonl'),
  index: getPayloadPath('index.csv'),
  statements: getPayloadPath('statements/'),
  lines: getPayloadPath('tables/bank_lines.csv'),
  payments: getPayloadPath('tables/payments.csv'),
  matchItems: getPayloadPath('tables/match_items.csv'),
} as const;

/** A statement of the period with its PDF. `later` is true if the PDF was archived after the sign-off. */
export type PackStatement = ExportCandidate & { later: boolean };

/** Yields the statements of the period. A statement without a PDF at sign-off gets its current PDF. */
export function* listPackStatements(
  { cache }: Pick<WorkpaperSite, 'cache'>,
  { statements }: Pick<PeriodLists, 'statements'>,
): Generator<PackStatement> {
  for (const each of statements()) {
    const pdf = each.sha256 === null ? findLatestPdf(cache, each.id) : null;
    yield pdf === null
      ? { ...each, later: false }
      : { ...each, version: pdf.version, sha256: pdf.sha256, bytes: pdf.bytes, later: true };
  }
}

const packStatementPath = ({ id }: { id: number }): string => `${packPaths.statements}${id}.pdf`;

/** Returns the path of a source file in the pack. The id distinguishes files with the same name. */
const packSourcePath = ({ id, file }: { id: number | string; file: string }): string =>
  getPayloadPath(`sources/${id}-${file.replace(/[/\\\p{Cc}]+/gu, '_').slice(-150)}`);

/** A copied file: an imported bank, processor or ledger file, or a file attached to a bank statement or a comment. */
interface PackSourceFile {
  readonly kind: 'source' | 'bank statement' | 'ledger' | 'attachment';
  readonly id: number;
  readonly path: string;
  readonly note: string;
  readonly sha256: string;
  readonly bytes: number;
}

function listPackSourceFiles(
  sources: readonly EvidencePackSource[],
  comments: readonly StoredComment[],
  { bank_statements, ledger_imports }: Pick<PeriodLists, 'bank_statements' | 'ledger_imports'>,
): PackSourceFile[] {
  const imported = sources.map(({ id, account, file, sha256, bytes }): PackSourceFile => {
    return {
      kind: 'source',
      id,
      path: packSourcePath({ id, file }),
      note: `${account}: ${file}`,
      sha256,
      bytes,
    };
  });
  const entered = [...bank_statements()].flatMap((statement): PackSourceFile[] => {
    const { id, account, source, import: imported_by } = statement;
    const path = packSourcePath({ id: `statement-${id}`, file: source.file });
    const { sha256, bytes } = source;
    const note = `${account.name}: ${source.file}`;
    return imported_by === null ? [{ kind: 'bank statement', id, path, note, sha256, bytes }] : [];
  });
  const ledgers = [...ledger_imports()].map(({ id, file, sha256, bytes }): PackSourceFile => {
    const path = packSourcePath({ id: `ledger-${id}`, file });
    return { kind: 'ledger', id, path, note: `General ledger: ${file}`, sha256, bytes };
  });
  return [...imported, ...entered, ...ledgers, ...listAttachedFiles(comments)];
}

function listAttachedFiles(comments: readonly StoredComment[]): PackSourceFile[] {
  const files = new Map<string, PackSourceFile>();
  for (const { id, subject, files: attached } of comments)
    for (const { name, sha256, bytes } of attached) {
      const path = getAttachmentPath({ name, sha256 });
      const note = `${formatCommentSubject(subject)}: ${name}`;
      if (!files.has(path)) files.set(path, { kind: 'attachment', id, path, note, sha256, bytes });
    }
  return [...files.values()];
}

/** Returns the contents of an evidence pack in order, read from one snapshot of the site. */
export function createPackContents(inputs: EvidencePackSources): BagContent {
  const { head, digest } = inputs.report.workpaper;
  const { period } = head.period;
  const sources = [...inputs.report.sources()];
  const comments = listPackComments(inputs.site, head.period, inputs.report);
  const sourceFiles = listPackSourceFiles(sources, comments, inputs.report);
  return {
    files: () => listPackFiles(inputs, sourceFiles),
    tables: (isInBag, written) =>
      createPackTables(inputs, { sources, sourceFiles, comments }, isInBag, written),
    info: [
      ['Source-Organization', head.title],
      [
        'External-Description',
        `Evidence of the reconciliation of ${head.title}, ${period}, as of ${head.as_at}`,
      ],
      ['External-Identifier', `${head.site}-${period}-${digest.slice(0, 16)}`],
      ['Bag-Software-Agent', `Tieout ${head.app_version}`],
    ],
    date: new Date(inputs.now).toISOString().slice(0, 10),
  };
}

function* listPackFiles(
  { site, report, reports }: EvidencePackSources,
  sourceFiles: readonly PackSourceFile[],
): Generator<ExportSourceFile> {
  yield* reports;
  for (const { path, sha256, bytes } of sourceFiles)
    yield { path, source: getSourceFilePath(site.folder, sha256), sha256, bytes };
  for (const statement of listPackStatements(site, report)) {
    const { sha256, bytes } = statement;
    if (sha256 === null || bytes === null) continue;
    yield { path: packStatementPath(statement), source: getPdfPath(site.folder, sha256), sha256, bytes };
  }
}

function* createPackTables(
  inputs: EvidencePackSources,
  {
    sources,
    sourceFiles,
    comments,
  }: {
    readonly sources: readonly EvidencePackSource[];
    readonly sourceFiles: readonly PackSourceFile[];
    readonly comments: readonly StoredComment[];
  },
  isInBag: (path: string) => boolean,
  written: readonly ManifestEntry[],
): Generator<readonly [path: string, text: GeneratedContent]> {
  const { site, report, reports, made_by } = inputs;
  const { head, digest, qualifications } = report.workpaper;
  const { period, first, last } = head.period;
  const { site: name, title, base_url, as_at, state, made_at, app_version, audit, signatures } = head;
  yield [getPayloadPath('README.txt'), [PACK_README]];
  const pack = {
    ...{ format: 'tieout-pack', version: 1, site: name, title, base_url, period, as_at, state },
    ...{ made_at, made_by, app_version, digest, audit, signatures, qualifications },
    certification: readWorkpaperSettings(site.books).certification,
  };
  yield [packPaths.info, [`${JSON.stringify(pack, null, 2)}\n`]];
  yield [packPaths.figures, [formatFiguresJson(report.workpaper)]];
  const decisions = {
    period,
    days: { first, last },
    made_at,
    sources,
    comments,
    isInBag,
    pathOf: packSourcePath,
  };
  yield [getPayloadPath('decisions.json'), formatDecisionsJson(site, decisions)];
  yield [packPaths.index, formatIndexCsv(inputs, sourceFiles, isInBag)];
  for (const table of [buildSchedulesTable, ...listReportTables(report)])
    yield [getPayloadPath(`tables/${table.name}.csv`), formatTableCsv(table, report)];
  for (const [table, readCells] of Object.entries(recordTables))
    yield [getPayloadPath(`tables/${table}.csv`), formatRecordRows(readCells(report))];
  yield [getPayloadPath('tables/figure_rows.csv'), formatRecordRows(listFigureRowCells(report))];
  yield [getPayloadPath('tables/comments.csv'), formatCommentsCsv(comments)];
  const copied = [...reports, ...sourceFiles].filter(({ path }) => isInBag(path));
  yield [packPaths.auditLog, inputs.recordFiles([...copied, ...written])];
}

/** Yields the index of the evidence files, including statements without a file. */
function* formatIndexCsv(
  { site, report, reports }: EvidencePackSources,
  sourceFiles: readonly PackSourceFile[],
  isInBag: (path: string) => boolean,
): Generator<string> {
  yield formatCsvRow(['what', 'id', 'file', 'bytes', 'sha256', 'note']);
  for (const { path, bytes, sha256 } of reports) yield formatCsvRow(['report', '', path, bytes, sha256, '']);
  for (const { kind, id, path, bytes, sha256, note } of sourceFiles) {
    const [file, remark] = isInBag(path) ? [path, note] : ['', 'damaged or missing'];
    yield formatCsvRow([kind, id, file, bytes, sha256, remark]);
  }
  for (const statement of listPackStatements(site, report)) {
    const { id, bytes, sha256, later } = statement;
    const path = packStatementPath(statement);
    if (sha256 === null) yield formatCsvRow(['statement', id, '', bytes, sha256, 'no PDF in the archive']);
    else if (!isInBag(path))
      yield formatCsvRow(['statement', id, '', bytes, sha256, 'damaged in the archive']);
    else
      yield formatCsvRow([
        ...['statement', id, path, bytes, sha256],
        later ? 'was archived after the sign-off' : '',
      ]);
  }
}

/** Yields the rows behind all figures. The lines of a figure have the digest that the IPE sheet states. */
function* listFigureRowCells({ figure_rows }: PeriodEvidence): Generator<EvidencePackCells | null> {
  yield [...FIGURE_ROW_COLUMNS];
  for (const row of figure_rows()) yield row && toFigureRowCells(row);
}
