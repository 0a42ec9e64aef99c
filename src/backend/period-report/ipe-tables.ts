import type { IpeFigure, IpeRequest, IpeSource } from '../../contract/index.ts';
import type { ReportSource } from './report-source.ts';
import { centsColumn, countColumn, defineTable, textColumn } from './report-table.ts';

/** A figure of the IPE sheet with its line in the workpaper. */
interface IpeRow extends IpeFigure {
  readonly label: string;
  readonly app: string;
}

function* listIpeRows({ workpaper, ipe_figures }: ReportSource): Generator<IpeRow> {
  const labels = new Map(
    workpaper.sections.flatMap(({ currency, schedules }) =>
      schedules.flatMap(({ lines }) => lines.map(({ id, label }) => [`${id} ${currency}`, label] as const)),
    ),
  );
  for (const figure of ipe_figures())
    yield {
      ...figure,
      label: labels.get(`${figure.figure} ${figure.currency}`) ?? '',
      app: `Tieout ${workpaper.head.app_version}`,
    };
}

export const ipeFiguresTable = defineTable<IpeRow>({
  name: 'ipe_figures',
  title: 'Information produced by the entity: figures',
  empty: 'The workpaper has no figures.',
  rows: listIpeRows,
  columns: [
    textColumn('currency', 'Cur.', 6, (row) => row.currency),
    textColumn('figure', 'Figure', 14, (row) => row.figure),
    textColumn('label', 'Line', 24, (row) => row.label),
    centsColumn('amount_in_cents', 'Sum of rows', (row) => row.amount_in_cents),
    countColumn('rows', 'Rows', 8, (row) => row.rows),
    textColumn('sources', 'Sources', 18, (row) => row.sources.join(', ') || null),
    textColumn('completeness', 'Completeness', 26, (row) => row.completeness),
    textColumn('accuracy', 'Accuracy', 20, (row) => row.accuracy),
    textColumn('sha256', 'SHA-256 of the rows', 20, (row) => row.sha256),
    textColumn('version', 'Version', 13, ({ app, rules }) => (rules === null ? app : `${app}, ${rules}`)),
  ],
});

export const ipeSourcesTable = defineTable<IpeSource>({
  name: 'ipe_sources',
  title: 'Information produced by the entity: sources',
  empty: 'The figures have no sources.',
  rows: (source) => source.ipe_sources(),
  columns: [
    textColumn('source', 'Source', 14, (row) => row.source),
    textColumn('title', 'Title', 16, (row) => row.title),
    textColumn('origin', 'Origin', 18, (row) => row.origin),
    textColumn('from', 'From', 13, (row) => row.from),
    textColumn('to', 'To', 13, (row) => row.to),
    countColumn('requests', 'Requests', 9, (row) => row.requests),
    countColumn('rows', 'Rows', 8, (row) => row.rows),
    textColumn('currency', 'Cur.', 6, (row) => row.currency),
    centsColumn('amount_in_cents', 'Control total', (row) => row.amount_in_cents),
    textColumn('complete', 'Complete', 9, ({ complete }) =>
      complete === null ? null : complete ? 'proved' : 'not proved',
    ),
    textColumn('continuity', 'Continuity', 16, (row) => row.continuity || null),
    textColumn('completeness', 'Completeness', 24, (row) => row.completeness || null),
    textColumn('accuracy', 'Accuracy', 20, (row) => row.accuracy || null),
    textColumn('sha256', 'SHA-256', 20, (row) => row.sha256),
  ],
});

export const ipeRequestsTable = defineTable<IpeRequest>({
  name: 'ipe_requests',
  title: 'Information produced by the entity: requests',
  empty: 'No request for the statements of the period is recorded.',
  rows: (source) => source.ipe_requests(),
  columns: [
    textColumn('source', 'Source', 14, (row) => row.source),
    textColumn('request', 'Request', 50, (row) => row.request),
    textColumn('server_date', 'Server time', 24, (row) => row.server_date),
    countColumn('rows', 'Rows', 8, (row) => row.rows),
    countColumn('bytes', 'Bytes', 10, (row) => row.bytes),
    textColumn('sha256', 'SHA-256', 44, (row) => row.sha256),
  ],
});
