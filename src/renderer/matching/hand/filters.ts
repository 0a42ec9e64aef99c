import { create } from 'zustand';
import type { BankLineFilter, PaymentFilter } from '../../../contract/index.ts';

/** What each side of matching by hand is narrowed to; kept while one looks elsewhere. */
export interface HandFilters {
  readonly lines: Omit<BankLineFilter, 'state'>;
  readonly payments: Omit<PaymentFilter, 'state'>;
}

export const useHandFilters = create<HandFilters>(() => ({ lines: {}, payments: {} }));

export function filterHand<S extends keyof HandFilters>(side: S, filter: HandFilters[S]): void {
  useHandFilters.setState({ [side]: filter });
}

/** What still waits for an explanation, of what was asked for. */
export function openWith<F extends object>(filter: F): F & { state: Open[] } {
  return { ...filter, state: ['open', 'ambiguous', 'suggested', 'part'] };
}

type Open = 'open' | 'ambiguous' | 'suggested' | 'part';
