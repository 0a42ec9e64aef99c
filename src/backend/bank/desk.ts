import { contractError } from '../../contract/index.ts';
import type { Plan } from './plan.ts';
import { createUploads, type Uploads } from './uploads.ts';

/** Plans kept at a time; each holds its file's lines. */
const MOST_PLANS = 3;

/** What is under way with files: what was handed over, and the plans made of it. It lives as long as the writer. */
export interface Desk {
  readonly uploads: Uploads;
  /** Keeps a plan, in the place of another one of the same upload. */
  keep(plan: Plan): void;
  /** Throws `not_found` where it is not kept any more. */
  plan(site: string, id: string): Plan;
  forget(id: string): void;
}

/** Holds uploads and plans in memory, until they are applied or replaced. */
export function createDesk(): Desk {
  const plans = new Map<string, Plan>();
  return {
    uploads: createUploads(),
    keep(plan) {
      for (const { id, upload } of plans.values()) if (upload.id === plan.upload.id) plans.delete(id);
      plans.set(plan.id, plan);
      const [oldest] = plans.keys();
      if (plans.size > MOST_PLANS && oldest !== undefined) plans.delete(oldest);
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
    forget: (id) => void plans.delete(id),
  };
}
