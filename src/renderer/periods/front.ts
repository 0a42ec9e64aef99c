import { create } from 'zustand';
import type { PeriodDetail } from '../../contract/index.ts';

interface Front {
  /** The period that is open, as it was last read; null where none is. */
  readonly period: PeriodDetail | null;
}

/** What the commands of periods act on; the backend has the last word. */
export const useFront = create<Front>(() => ({ period: null }));
