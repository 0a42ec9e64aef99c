import type { DateRange } from '../../domain/ledger/index.ts';
import {
  defineAccountSchedule,
  defineAccountSummaryLines,
  type WorkpaperScheduleDefinition,
  workpaperScheduleDefinitions,
} from '../../domain/workpaper/index.ts';
import { areBankBalancesStated, listReconciledAccounts } from './account-contributions.ts';
import type { WorkpaperSite } from './workpaper-site.ts';

/** Returns the definitions of the schedules of a currency, in the order of the workpaper. */
export function listScheduleDefinitions(
  { books, file }: WorkpaperSite,
  currency: string,
  period: DateRange,
): readonly WorkpaperScheduleDefinition[] {
  const accounts = listReconciledAccounts(books, currency, period);
  return workpaperScheduleDefinitions
    .filter(({ billingOnly }) => billingOnly !== true || currency === file.currency)
    .flatMap((definition) => {
      if (definition.id !== 'S3') return definition;
      const banks = accounts.filter(({ kind }) => kind === 'bank');
      const summary = areBankBalancesStated(accounts) ? defineAccountSummaryLines(banks) : [];
      const lines = [...definition.lines, ...summary];
      return [{ ...definition, lines }, ...accounts.map(defineAccountSchedule)];
    });
}
