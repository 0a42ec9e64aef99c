import type { ContractInputs, ReportTableName, ReportTablePage, Workpaper } from '../../contract/index.ts';
import type { WorkSteps } from '../../domain/work-steps/work-steps.ts';
import { readSignedOffPeriodLists } from '../periods/signed-off-period.ts';
import { createSnapshotCache, type OpenSiteDatabases } from '../periods/site-snapshot-cache.ts';
import { decodeCursor, encodeCursor, type ListOrder } from '../store/lists/keyset-pagination.ts';
import { addIpeLists } from '../workpaper/ipe/ipe-lists.ts';
import type { IpeLists } from '../workpaper/report-lists.ts';
import type { SiteSnapshot } from '../workpaper/site-snapshot.ts';
import type { ReportSource } from './report-source.ts';
import type { UntypedReportTable } from './report-table.ts';
import { getEmptyTableText, listReportTables } from './report-tables.ts';

const rowOrder: ListOrder = {
  name: 'report-table',
  columns: [{ name: 'row', type: 'number' }],
  direction: 'asc',
};

/** Maximum number of cached lists per site. Only lists that someone pages through are needed. */
const MAX_CACHED_TABLES = 2;
const cachedTables = createSnapshotCache<Omit<ReportTablePage, 'next' | 'total'>>(MAX_CACHED_TABLES);

/** Returns a page of a list of the period report, with its columns. The list is cached until the site changes. */
export async function readReportTable(
  site: OpenSiteDatabases,
  workpaper: Workpaper,
  { period, table, after, limit }: Omit<ContractInputs['reports']['table'], 'site'> & { limit: number },
): Promise<ReportTablePage> {
  const { rows, ...head } = await cachedTables(site, `${period} ${table}`, (snapshot) =>
    readTable(snapshot, workpaper, { period, table }),
  );
  const from = after === undefined ? 0 : Number(decodeCursor(rowOrder, after)[0]);
  const to = from + limit;
  return {
    ...head,
    rows: rows.slice(from, to),
    next: to < rows.length ? encodeCursor(rowOrder, [to]) : null,
    total: after === undefined ? { count: rows.length, exact: true } : null,
  };
}

/** Stands in for the IPE sheet in the other lists, because its computation reads all rows of the period. */
const NO_IPE_LISTS: IpeLists = { ipe_figures: () => [], ipe_sources: () => [], ipe_requests: () => [] };

function* readTable(
  snapshot: SiteSnapshot,
  workpaper: Workpaper,
  { period, table: name }: { readonly period: string; readonly table: ReportTableName },
): WorkSteps<Omit<ReportTablePage, 'next' | 'total'>> {
  const lists = readSignedOffPeriodLists(snapshot, period);
  const source: ReportSource = {
    workpaper,
    ...(name.startsWith('ipe')
      ? yield* addIpeLists(snapshot, workpaper, lists)
      : { ...NO_IPE_LISTS, ...lists }),
    flux: () => [],
    checklist: () => [],
    changes: () => [],
    audit: () => [],
  };
  const table = listReportTables(source).find((each) => each.name === name) as UntypedReportTable;
  const rows: ReportTablePage['rows'] = [];
  for (const cells of table.cells(source)) {
    rows.push({ row: rows.length, cells });
    yield;
  }
  const columns = table.columns.map(({ name: column, header, kind }) => ({ name: column, header, kind }));
  return { title: table.title, empty: getEmptyTableText(table, source), columns, rows };
}
