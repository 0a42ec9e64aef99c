import type { ChecklistStep, PeriodDetail } from '../../../contract/index.ts';
import { navigate, openFilteredList } from '../../navigation/window-state.ts';
import { openFigure, openPeriod } from '../shared/period-route.ts';

/** Opens the screen where a step of the checklist is done. Own steps have no screen. */
export function openChecklistStep(
  { kind, step }: Pick<ChecklistStep, 'kind' | 'step'>,
  { period, last }: Pick<PeriodDetail, 'period' | 'last'>,
): void {
  switch (kind) {
    case 'sync':
      navigate({ screen: 'sync' });
      break;
    case 'exceptions':
      openFilteredList('exceptions', { status: ['open'], period });
      break;
    case 'bank-files':
      navigate({ screen: 'bank' });
      break;
    case 'matching':
      openFilteredList('matching', { status: ['suggested', 'ambiguous'], until: last });
      break;
    case 'reconcile': {
      const [, account, currency] = /^reconcile:(\d+)-([A-Z]{3})$/.exec(step) ?? [];
      if (account !== undefined && currency !== undefined)
        openFigure(period, currency, `S3-${account}.computed`);
      break;
    }
    case 'ledger':
    case 'journal':
      openPeriod(period, 'ledger');
      break;
    case 'flux':
      openPeriod(period, 'workpaper');
      break;
    case 'certify':
    case 'submit':
    case 'review':
    case 'close':
      openPeriod(period, 'signoff');
      break;
    case 'own':
      break;
  }
}
