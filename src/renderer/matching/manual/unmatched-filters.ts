import { create } from 'zustand';
import type { BankLineFilter, PaymentFilter } from '../../../contract/index.ts';

/** Filters of both sides of manual matching. They persist while other screens are shown. */
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

/** Returns the filter restricted to items that are not fully matched. */
export function onlyUnmatched<F extends object>(filter: F): F & { state: UnmatchedState[] } {
  return { ...filter, state: ['open', 'ambiguous', 'suggested', 'part'] };
}

type UnmatchedState = 'open' | 'ambiguous' | 'suggested' | 'part';
