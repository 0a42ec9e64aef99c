import { contractError } from '../../contract/index.ts';
import type { StoredImportPlan } from './import-plan.ts';
import { createUploads, type Uploads } from './uploads.ts';

/** Maximum number of open import plans, not counting those being applied. */
const MAX_PLANS = 3;

/** Uploaded files and the import plans made from them. They exist as long as the writer runs. */
export interface ImportSession {
  readonly uploads: Uploads;
  /** Adds a plan. It replaces an earlier plan for the same upload. */
  addPlan(plan: StoredImportPlan): void;
  /** Returns a plan. Throws `not_found` if it no longer exists. */
  getPlan(site: string, id: string): StoredImportPlan;
  /** Protects a plan from eviction while it is being applied. */
  protectPlan(id: string): void;
  removePlan(id: string): void;
  close(): void;
}

/** Creates the store of uploads and import plans, which exist until they are applied or replaced. */
export function createImportSession(): ImportSession {
  const plans = new Map<string, StoredImportPlan>();
  const protectedPlans = new Set<string>();

  function forget(id: string): void {
    plans.get(id)?.rows.close();
    plans.delete(id);
    protectedPlans.delete(id);
  }

  return {
    uploads: createUploads(),
    addPlan(plan) {
      const unprotectedPlans = () => [...plans.values()].filter(({ id }) => !protectedPlans.has(id));
      for (const { id, upload } of unprotectedPlans()) if (upload.id === plan.upload.id) forget(id);
      plans.set(plan.id, plan);
      const [oldest, ...rest] = unprotectedPlans();
      if (oldest !== undefined && rest.length >= MAX_PLANS) forget(oldest.id);
    },
    getPlan(site, id) {
      const plan = plans.get(id);
      if (plan?.site === site) return plan;
      throw contractError({
        code: 'not_found',
        message: 'That preview is not kept any more.',
        hint: 'Choose the file again.',
        retryable: false,
      });
    },
    protectPlan: (id) => void protectedPlans.add(id),
    removePlan: forget,
    close() {
      for (const id of plans.keys()) forget(id);
    },
  };
}
