import type { SiteHabits } from '../../../src/domain/checks/index.ts';

/** Assumes every habit since the beginning. */
export const everyHabit: SiteHabits = new (class extends Map<string, number> {
  override get(): number {
    return Number.NEGATIVE_INFINITY;
  }
})();
