import { create } from 'zustand';
import type { BankLineFilter, PaymentFilter } from '../../../contract/index.ts';

/** Filters of the bank lines and payments in manual matching. They are preserved when the user visits other screens. */
export interface UnmatchedFilters {
  readonly lines: Omit<BankLineFilter, 'state'>;
  readonly payments: Omit<PaymentFilter, 'state'>;
}

export const useUnmatchedFilters = create<UnmatchedFilters>(() => ({ lines: {}, payments: {} }));

export function setUnmatchedFilter<S extends keyof UnmatchedFilters>(
  side: S,
  filter: UnmatchedFilters[S],
): void {
  useUnmatchedFilters.setState({ [side]: filter });
}

/** Returns the filter, limited to items that are not fully matched. */
export function onlyUnmatched<F extends object>(filter: F): F & { state: UnmatchedState[] } {
  return { ...filter, state: ['open', 'ambiguous', 'suggested', 'part'] };
}

type UnmatchedState = 'open' | 'ambiguous' | 'suggested' | 'part';
