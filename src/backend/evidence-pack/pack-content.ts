import { formatCsvRow } from '../../domain/csv/csv-row.ts';
import { pdfPath } from '../archive/pdf-files.ts';
import type { ExportSourceFile } from '../bagit/bag-target.ts';
import type { BagContent } from '../bagit/write-bag.ts';
import { payloadPath } from '../bagit/write-bag.ts';
import { sourceFilePath } from '../bank/uploads.ts';
import { formatTableCsv } from '../period-report/report-csv.ts';
import type { ReportSource } from '../period-report/report-source.ts';
import { listTables, schedulesTable } from '../period-report/report-tables.ts';
import type { ExportCandidate } from '../store/archive/export-candidates.ts';
import { latestPdf } from '../store/archive/pdf.ts';
import { type PackCells, type PackSource, packAudit } from '../store/evidence-pack/pack-rows.ts';
import type { PeriodLists } from '../workpaper/report-lists.ts';
import type { SiteSnapshot } from '../workpaper/site-snapshot.ts';
import type { WorkpaperSite } from '../workpaper/workpaper.ts';
import { formatDecisionsJson } from './pack-decisions.ts';
import { PACK_README } from './pack-readme.ts';

export interface PackInputs {
  readonly site: SiteSnapshot;
  readonly report: ReportSource & PeriodLists;
  /** Files of the period report that are already written. */
  readonly reports: readonly ExportSourceFile[];
  readonly made_by: string;
  /** UTC milliseconds. */
  readonly now: number;
}

/** Statement of the period with its PDF. `later` is true if the PDF was archived after the sign-off. */
export type PackStatement = ExportCandidate & { later: boolean };

/** Yields the statements of the period. A statement that had no PDF at sign-off is given its current PDF. */
export function* packStatements(
  { cache }: Pick<WorkpaperSite, 'cache'>,
  { statements }: Pick<PeriodLists, 'statements'>,
): Generator<PackStatement> {
  for (const each of statements()) {
    const pdf = each.sha256 === null ? latestPdf(cache, each.id) : null;
    yield pdf === null
      ? { ...each, later: false }
      : { ...each, version: pdf.version, sha256: pdf.sha256, bytes: pdf.bytes, later: true };
  }
}

const packStatementPath = ({ id }: { id: number }): string => payloadPath(`statements/${id}.pdf`);
/**
 * Returns the path of a source file in the pack. The id distinguishes files of the same name. Path separators in the name
 * are replaced.
 */
const packSourcePath = ({ id, file }: Pick<PackSource, 'id' | 'file'>): string =>
  payloadPath(`sources/${id}-${file.replace(/[/\\\p{Cc}]+/gu, '_').slice(-150)}`);

/**
 * Returns the contents of an evidence pack in order. Everything is read from one snapshot of the site while it is
 * written.
 */
export function createPackContent(inputs: PackInputs): BagContent {
  const { site, report, reports, now, made_by } = inputs;
  const { head, digest, qualifications } = report.workpaper;
  const days = { first: head.period.first, last: head.period.last };
  const period = head.period.period;
  const sources = [...report.sources()];

  function* files(): Generator<ExportSourceFile> {
    yield* reports;
    for (const source of sources) {
      const { sha256, bytes } = source;
      yield { path: packSourcePath(source), source: sourceFilePath(site.folder, sha256), sha256, bytes };
    }
    for (const each of packStatements(site, report)) {
      const { sha256, bytes } = each;
      if (sha256 === null || bytes === null) continue;
      yield { path: packStatementPath(each), source: pdfPath(site.folder, sha256), sha256, bytes };
    }
  }

  function* tables(isIn: (path: string) => boolean): Generator<readonly [string, Iterable<string>]> {
    const made_at = head.made_at;
    yield [payloadPath('README.txt'), [PACK_README]];
    const packHeader = {
      format: 'tieout-pack',
      version: 1,
      site: head.site,
      title: head.title,
      base_url: head.base_url,
    };
    const pack = {
      ...packHeader,
      period,
      as_at: head.as_at,
      state: head.state,
      made_at,
      made_by,
      app_version: head.app_version,
      digest,
    };
    yield [
      payloadPath('pack.json'),
      [
        `${JSON.stringify({ ...pack, audit: head.audit, signatures: head.signatures, qualifications }, null, 2)}\n`,
      ],
    ];
    yield [
      payloadPath('decisions.json'),
      formatDecisionsJson(site, { period, days, made_at, sources, pathOf: packSourcePath }),
    ];
    yield [payloadPath('audit.jsonl'), packAudit(site.books)];
    yield [payloadPath('index.csv'), formatIndexCsv(inputs, sources, isIn)];
    for (const table of [schedulesTable, ...listTables])
      yield [payloadPath(`tables/${table.name}.csv`), formatTableCsv(table, report)];
    for (const name of BOOKS_TABLES)
      yield [payloadPath(`tables/${name}.csv`), formatTableRows(report[name]())];
    yield [payloadPath('tables/statements.csv'), formatStatementsCsv(inputs)];
    yield [payloadPath('tables/transactions.csv'), formatTableRows(report.transactions())];
  }

  return {
    files,
    tables,
    info: [
      ['Source-Organization', head.title],
      [
        'External-Description',
        `Evidence of the reconciliation of ${head.title}, ${period}, as at ${head.as_at}`,
      ],
      ['External-Identifier', `${head.site}-${period}-${digest.slice(0, 16)}`],
      ['Bag-Software-Agent', `Tieout ${head.app_version}`],
    ],
    date: new Date(now).toISOString().slice(0, 10),
  };
}

const ARCHIVED_AFTER_SIGN_OFF = 'came into the archive after the sign-off';

/** Yields the index of the evidence files, including statements without a file. */
function* formatIndexCsv(
  inputs: PackInputs,
  sources: readonly PackSource[],
  isIn: (path: string) => boolean,
): Generator<string> {
  yield formatCsvRow(['what', 'id', 'file', 'bytes', 'sha256', 'note']);
  for (const { path, bytes, sha256 } of inputs.reports)
    yield formatCsvRow(['report', '', path, bytes, sha256, '']);
  for (const source of sources) {
    const path = packSourcePath(source);
    const note = isIn(path) ? `${source.account}: ${source.file}` : 'damaged, or not where it was kept';
    yield formatCsvRow(['source', source.id, isIn(path) ? path : '', source.bytes, source.sha256, note]);
  }
  for (const each of packStatements(inputs.site, inputs.report)) {
    const path = packStatementPath(each);
    const stored = each.sha256 !== null && isIn(path);
    const note = stored
      ? each.later
        ? ARCHIVED_AFTER_SIGN_OFF
        : ''
      : each.sha256 === null
        ? 'no PDF in the archive'
        : 'damaged in the archive';
    yield formatCsvRow(['statement', each.id, stored ? path : '', each.bytes, each.sha256, note]);
  }
}

/** Names of the tables exported from the books. Amounts are in cents. */
const BOOKS_TABLES = ['bank_lines', 'payments', 'payouts', 'match_items'] as const;

function* formatTableRows(rows: Iterable<PackCells>): Generator<string> {
  for (const cells of rows) yield formatCsvRow(cells);
}

function* formatStatementsCsv(inputs: PackInputs): Generator<string> {
  const fields = [
    ...([
      'id',
      'subscription_id',
      'opened_at',
      'closed_at',
      'settled_at',
      'customer_name',
      'customer_organization',
    ] as const),
    ...([
      'starting_balance_in_cents',
      'ending_balance_in_cents',
      'charges_in_cents',
      'payments_in_cents',
    ] as const),
  ];
  yield formatCsvRow(fields);
  for (const each of inputs.report.statements()) yield formatCsvRow(fields.map((field) => each[field]));
}
