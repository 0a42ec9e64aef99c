import { contractError } from '../../contract/index.ts';
import type { Plan } from './plan.ts';
import { createUploads, type Uploads } from './uploads.ts';

/** Plans kept at a time, those that are applied not counted. */
const MOST_PLANS = 3;

/** What is under way with files: what was handed over, and the plans made of it. It lives as long as the writer. */
export interface Desk {
  readonly uploads: Uploads;
  /** Keeps a plan, in the place of another one of the same upload. */
  keep(plan: Plan): void;
  /** Throws `not_found` where it is not kept any more. */
  plan(site: string, id: string): Plan;
  /** Keeps a plan that is applied, whatever comes, until it is forgotten. */
  hold(id: string): void;
  forget(id: string): void;
  close(): void;
}

/** Holds uploads and plans, until they are applied or replaced. */
export function createDesk(): Desk {
  const plans = new Map<string, Plan>();
  const held = new Set<string>();

  function forget(id: string): void {
    plans.get(id)?.rows.close();
    plans.delete(id);
    held.delete(id);
  }

  return {
    uploads: createUploads(),
    keep(plan) {
      const idle = () => [...plans.values()].filter(({ id }) => !held.has(id));
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
    hold: (id) => void held.add(id),
    forget,
    close() {
      for (const id of plans.keys()) forget(id);
    },
  };
}
