import type { SiteHabits } from '../../../src/domain/checks/index.ts';

/** Site habits that include every event and webhook since the beginning. */
export const ALL_HABITS: SiteHabits = new (class extends Map<string, number> {
  override get(): number {
    return Number.NEGATIVE_INFINITY;
  }
})();
