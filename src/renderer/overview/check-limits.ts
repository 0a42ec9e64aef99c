import type { CheckSummary } from '../../contract/index.ts';
import { formatMonth } from '../texts/date-times.ts';
import { texts } from '../texts/texts.ts';

const text = texts.overview.limits;

interface CheckedRecords {
  readonly summary: Pick<CheckSummary, 'period' | 'checked' | 'freshness'>;
  /** True if bank or processor lines of the month are imported. Undefined while loading. */
  readonly hasBankLines: boolean | undefined;
  readonly disabledRules: number;
}

/** Returns a sentence for each reason why a check without open exceptions proves less than it seems to. */
export function listCheckLimits({ summary, hasBankLines, disabledRules }: CheckedRecords): string[] {
  const { period, checked, freshness } = summary;
  const month = period && formatMonth(period.period);
  return [
    freshness.complete ? null : text.incomplete,
    checked.stale,
    checked.waiting > 0 ? text.changed(checked.waiting) : null,
    disabledRules > 0 ? text.disabledRules(disabledRules) : null,
    hasBankLines === false ? text.noBankLines(month) : null,
  ].filter((limit) => limit !== null);
}
