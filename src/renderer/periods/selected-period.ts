import { create } from 'zustand';
import type { PeriodDetail } from '../../contract/index.ts';

interface SelectedPeriod {
  /** Latest data of the period shown on screen. Null if no period is open. */
  readonly period: PeriodDetail | null;
}

/** Holds the period that commands act on. The backend checks every command again. */
export const useSelectedPeriod = create<SelectedPeriod>(() => ({ period: null }));
