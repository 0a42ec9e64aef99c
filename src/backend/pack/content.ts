import { pdfPath } from '../archive/store.ts';
import type { SourceFile } from '../bag/sink.ts';
import type { BagContent } from '../bag/write-bag.ts';
import { payload } from '../bag/write-bag.ts';
import { sourcePath } from '../bank/uploads.ts';
import { csvLine } from '../csv-line.ts';
import { tableCsv } from '../report/csv.ts';
import type { Lists } from '../report/lists.ts';
import type { SiteSnapshot } from '../report/snapshot.ts';
import type { ReportSource } from '../report/source.ts';
import { listTables, schedulesTable } from '../report/tables.ts';
import type { ExportCandidate } from '../store/archive/export-candidates.ts';
import { latestPdf } from '../store/archive/pdf.ts';
import { type PackCells, type PackSource, packAudit } from '../store/periods/pack-rows.ts';
import type { WorkpaperSite } from '../workpaper/workpaper.ts';
import { decisionsJson } from './decisions.ts';
import { README } from './readme.ts';

export interface PackOf {
  readonly site: SiteSnapshot;
  readonly report: ReportSource & Lists;
  /** The report’s own files, written already. */
  readonly reports: readonly SourceFile[];
  readonly made_by: string;
  /** ms UTC. */
  readonly now: number;
}

/** A statement of the period, with its PDF; `later`: that was not held yet when the period was signed. */
export type PackStatement = ExportCandidate & { later: boolean };

/** The statements of the period. One that was signed without a PDF has the one that is held by now. */
export function* packStatements(
  { cache }: Pick<WorkpaperSite, 'cache'>,
  { statements }: Pick<Lists, 'statements'>,
): Generator<PackStatement> {
  for (const each of statements()) {
    const pdf = each.sha256 === null ? latestPdf(cache, each.id) : null;
    yield pdf === null
      ? { ...each, later: false }
      : { ...each, version: pdf.version, sha256: pdf.sha256, bytes: pdf.bytes, later: true };
  }
}

const statementPath = ({ id }: { id: number }): string => payload(`statements/${id}.pdf`);
/** The number keeps two files of one name apart; a folder in the name cannot lead anywhere. */
const sourceFilePath = ({ id, file }: Pick<PackSource, 'id' | 'file'>): string =>
  payload(`sources/${id}-${file.replace(/[/\\\p{Cc}]+/gu, '_').slice(-150)}`);

/** What stands in an evidence pack, in its order. Everything is read as it is written, from one state of the site. */
export function packContent(of: PackOf): BagContent {
  const { site, report, reports, now, made_by } = of;
  const { head, digest, qualifications } = report.workpaper;
  const days = { first: head.period.first, last: head.period.last };
  const period = head.period.period;
  const sources = [...report.sources()];

  function* files(): Generator<SourceFile> {
    yield* reports;
    for (const source of sources) {
      const { sha256, bytes } = source;
      yield { path: sourceFilePath(source), source: sourcePath(site.folder, sha256), sha256, bytes };
    }
    for (const each of packStatements(site, report)) {
      const { sha256, bytes } = each;
      if (sha256 === null || bytes === null) continue;
      yield { path: statementPath(each), source: pdfPath(site.folder, sha256), sha256, bytes };
    }
  }

  function* tables(isIn: (path: string) => boolean): Generator<readonly [string, Iterable<string>]> {
    const made_at = head.made_at;
    yield [payload('README.txt'), [README]];
    const about = {
      format: 'tieout-pack',
      version: 1,
      site: head.site,
      title: head.title,
      base_url: head.base_url,
    };
    const pack = {
      ...about,
      period,
      as_at: head.as_at,
      state: head.state,
      made_at,
      made_by,
      app_version: head.app_version,
      digest,
    };
    yield [
      payload('pack.json'),
      [
        `${JSON.stringify({ ...pack, audit: head.audit, signatures: head.signatures, qualifications }, null, 2)}\n`,
      ],
    ];
    yield [
      payload('decisions.json'),
      decisionsJson(site, { period, days, made_at, sources, pathOf: sourceFilePath }),
    ];
    yield [payload('audit.jsonl'), packAudit(site.books)];
    yield [payload('index.csv'), indexCsv(of, sources, isIn)];
    for (const table of [schedulesTable, ...listTables])
      yield [payload(`tables/${table.name}.csv`), tableCsv(table, report)];
    for (const name of TABLES) yield [payload(`tables/${name}.csv`), csvOf(report[name]())];
    yield [payload('tables/statements.csv'), statementsCsv(of)];
    yield [payload('tables/transactions.csv'), csvOf(report.transactions())];
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

const LATER = 'came into the archive after the sign-off';

/** What each file of evidence is; statements without a file are listed as well. */
function* indexCsv(
  of: PackOf,
  sources: readonly PackSource[],
  isIn: (path: string) => boolean,
): Generator<string> {
  yield csvLine(['what', 'id', 'file', 'bytes', 'sha256', 'note']);
  for (const { path, bytes, sha256 } of of.reports) yield csvLine(['report', '', path, bytes, sha256, '']);
  for (const source of sources) {
    const path = sourceFilePath(source);
    const note = isIn(path) ? `${source.account}: ${source.file}` : 'damaged, or not where it was kept';
    yield csvLine(['source', source.id, isIn(path) ? path : '', source.bytes, source.sha256, note]);
  }
  for (const each of packStatements(of.site, of.report)) {
    const path = statementPath(each);
    const held = each.sha256 !== null && isIn(path);
    const note = held
      ? each.later
        ? LATER
        : ''
      : each.sha256 === null
        ? 'no PDF in the archive'
        : 'damaged in the archive';
    yield csvLine(['statement', each.id, held ? path : '', each.bytes, each.sha256, note]);
  }
}

/** The tables of the books that the figures rest on; money in cents. */
const TABLES = ['bank_lines', 'payments', 'payouts', 'match_items'] as const;

function* csvOf(rows: Iterable<PackCells>): Generator<string> {
  for (const cells of rows) yield csvLine(cells);
}

function* statementsCsv(of: PackOf): Generator<string> {
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
  yield csvLine(fields);
  for (const each of of.report.statements()) yield csvLine(fields.map((field) => each[field]));
}
