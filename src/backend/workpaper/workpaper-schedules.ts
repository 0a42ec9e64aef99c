import type { DateRange } from '../../domain/ledger/index.ts';
import {
  balanceScheduleDefinitions,
  defineAccountSchedule,
  defineAccountSummaryLines,
  defineLedgerSchedule,
  type FigureSums,
  type WorkpaperScheduleDefinition,
  workpaperScheduleDefinitions,
} from '../../domain/workpaper/index.ts';
import { areBankBalancesStated, listReconciledAccounts } from './account-contributions.ts';
import { listComparedAreas } from './ledger-contributions.ts';
import type { WorkpaperSite } from './workpaper-site.ts';

/** Returns the definitions of the schedules of a currency in workpaper order. `sums` contains the figures. */
export function listScheduleDefinitions(
  { books, file }: WorkpaperSite,
  period: DateRange,
  { currency, sums }: { readonly currency: string; readonly sums: FigureSums },
): readonly WorkpaperScheduleDefinition[] {
  const accounts = listReconciledAccounts(books, currency, period);
  const areas = listComparedAreas(sums);
  const schedules = workpaperScheduleDefinitions
    .filter(({ billingOnly }) => billingOnly !== true || currency === file.currency)
    .flatMap((definition) => {
      if (definition.id !== 'S3') return definition;
      const banks = accounts.filter(({ kind }) => kind === 'bank');
      const summary = areBankBalancesStated(accounts) ? defineAccountSummaryLines(banks) : [];
      const lines = [...definition.lines, ...summary];
      return [{ ...definition, lines }, ...accounts.map(defineAccountSchedule)];
    });
  return [
    ...schedules,
    ...(areas.length === 0 ? [] : [defineLedgerSchedule(areas)]),
    ...(currency === file.currency ? balanceScheduleDefinitions : []),
  ];
}
