import { createNonRetryableError } from '../../contract/index.ts';
import { BankFileUploads } from './bank-file-uploads.ts';
import type { StoredImportPlan } from './import-plan.ts';

/** Maximum number of open import plans, not counting plans that are being applied. Chosen by judgment. */
const MAX_PLANS = 3;

/** Uploaded files and the import plans made from them. They last as long as the writer thread. */
export class ImportSession {
  readonly uploads = new BankFileUploads();
  readonly #plans = new Map<string, StoredImportPlan>();
  readonly #protectedPlans = new Set<string>();

  /** Adds a plan. It replaces an earlier plan for the same upload. */
  addPlan(plan: StoredImportPlan): void {
    const replaced = this.#unprotectedPlans().filter(({ upload }) => upload.id === plan.upload.id);
    for (const { id } of replaced) this.removePlan(id);
    this.#plans.set(plan.id, plan);
    const [oldest, ...newer] = this.#unprotectedPlans();
    if (oldest !== undefined && newer.length >= MAX_PLANS) this.removePlan(oldest.id);
  }

  /** Returns a plan. Throws `not_found` if it no longer exists. */
  getPlan(site: string, id: string): StoredImportPlan {
    const plan = this.#plans.get(id);
    if (plan?.site === site) return plan;
    throw createNonRetryableError('not_found', 'This preview has expired.', 'Choose the file again.');
  }

  /** Excludes a plan from eviction while it is being applied. */
  protectPlan(id: string): void {
    this.#protectedPlans.add(id);
  }

  removePlan(id: string): void {
    this.#plans.get(id)?.rows.close();
    this.#plans.delete(id);
    this.#protectedPlans.delete(id);
  }

  close(): void {
    for (const id of this.#plans.keys()) this.removePlan(id);
  }

  #unprotectedPlans(): StoredImportPlan[] {
    return [...this.#plans.values()].filter(({ id }) => !this.#protectedPlans.has(id));
  }
}
