import type { IpeSource, Workpaper } from '../../../contract/index.ts';
import type { WorkSteps } from '../../../domain/work-steps/work-steps.ts';
import type { IpeLists, PeriodLists } from '../report-lists.ts';
import type { WorkpaperSite } from '../workpaper-site.ts';
import { computeBillingSources, toTableSources } from './billing-sources.ts';
import { ENTRY_SOURCE, LINE_SOURCE, MATCH_SOURCE, PAYOUT_SOURCE, proveFigures } from './figure-proofs.ts';
import { computeAccountSources, listFileSources, listLedgerSources } from './file-sources.ts';
import { sumRecordTables } from './table-totals.ts';

const UNTESTED = { from: null, to: null, requests: null, complete: null, continuity: '', accuracy: '' };

/** Computes the IPE sheet of a workpaper in steps, from the same snapshot as the workpaper and the lists. */
export function* computeIpeLists(
  site: WorkpaperSite,
  workpaper: Workpaper,
  lists: PeriodLists,
): WorkSteps<IpeLists> {
  const tables = yield* sumRecordTables(lists, site.file.currency);
  const billing = yield* computeBillingSources(site, workpaper, tables);
  const accounts = yield* computeAccountSources(site, workpaper);
  const entries = [...lists.journal()];
  const all: IpeSource[] = [
    ...billing.sources,
    ...accounts.map(({ source }) => source),
    ...toTableSources(LINE_SOURCE, 'Bank and processor lines', tables.bank_lines, {
      ...UNTESTED,
      completeness: 'See the accounts.',
    }),
    ...toTableSources(PAYOUT_SOURCE, 'Payouts', tables.payouts, {
      ...UNTESTED,
      completeness: 'See the accounts.',
    }),
    ...listFileSources(site, lists),
    ...toTableSources(MATCH_SOURCE, 'Matches', tables.match_items, {
      ...UNTESTED,
      completeness: 'Decisions of the matching run and of people.',
    }),
    ...listLedgerSources(lists),
    ...(entries.length === 0
      ? []
      : [
          {
            ...{ source: ENTRY_SOURCE, title: 'Journal entries', origin: 'tables/journal.csv', ...UNTESTED },
            ...{ rows: entries.length, currency: null, amount_in_cents: null, sha256: null },
            completeness: 'Entries approved by people.',
          },
        ]),
  ];
  const figures = yield* proveFigures(site, workpaper, { all, accounts });
  return { ipe_figures: () => figures, ipe_sources: () => all, ipe_requests: () => billing.requests };
}

/** Returns the lists with their IPE sheet: the stored one if the period is closed, or else computed in steps. */
export function* addIpeLists(
  site: WorkpaperSite,
  workpaper: Workpaper,
  lists: PeriodLists & Partial<IpeLists>,
): WorkSteps<PeriodLists & IpeLists> {
  const { ipe_figures, ipe_sources, ipe_requests } = lists;
  if (ipe_figures !== undefined && ipe_sources !== undefined && ipe_requests !== undefined)
    return { ...lists, ipe_figures, ipe_sources, ipe_requests };
  return { ...lists, ...(yield* computeIpeLists(site, workpaper, lists)) };
}
