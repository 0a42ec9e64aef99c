import { contractError } from '../../contract/index.ts';
import type { StoredImportPlan } from './plan.ts';
import { createUploads, type Uploads } from './uploads.ts';

/** Maximum number of plans held at a time, not counting those being applied. */
const MOST_PLANS = 3;

/** Uploaded files and the plans made from them. Exists as long as the writer. */
export interface ImportSession {
  readonly uploads: Uploads;
  /** Stores a plan in place of an earlier one of the same upload. */
  keep(plan: StoredImportPlan): void;
  /** Returns a plan. Throws `not_found` if it is no longer held. */
  plan(site: string, id: string): StoredImportPlan;
  /** Protects a plan that is being applied from eviction until it is forgotten. */
  hold(id: string): void;
  forget(id: string): void;
  close(): void;
}

/** Holds uploads and plans until they are applied or replaced. */
export function createImportSession(): ImportSession {
  const plans = new Map<string, StoredImportPlan>();
  const stored = new Set<string>();

  function forget(id: string): void {
    plans.get(id)?.rows.close();
    plans.delete(id);
    stored.delete(id);
  }

  return {
    uploads: createUploads(),
    keep(plan) {
      const idle = () => [...plans.values()].filter(({ id }) => !stored.has(id));
      for (const { id, upload } of idle()) if (upload.id === plan.upload.id) forget(id);
      plans.set(plan.id, plan);
      const [oldest, ...rest] = idle();
      if (oldest !== undefined && rest.length >= MOST_PLANS) forget(oldest.id);
    },
    plan(site, id) {
      const plan = plans.get(id);
      if (plan?.site === site) return plan;
      throw contractError({
        code: 'not_found',
        message: 'That preview is not kept any more.',
        hint: 'Choose the file again.',
        retryable: false,
      });
    },
    hold: (id) => void stored.add(id),
    forget,
    close() {
      for (const id of plans.keys()) forget(id);
    },
  };
}
