import { create } from 'zustand';
import type { PeriodDetail } from '../../../contract/index.ts';

interface SelectedPeriod {
  /** Latest data of the period shown on the screen, or null if no period is open. */
  readonly period: PeriodDetail | null;
}

/** Stores the period that commands act on. The backend validates every command again. */
export const useSelectedPeriod = create<SelectedPeriod>(() => ({ period: null }));
