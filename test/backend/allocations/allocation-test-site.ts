import { openBackendReader } from '../../../src/backend/open-backend-reader.ts';
import type { AllocationChange, AllocationDraft, ContractInputs, Job } from '../../../src/contract/index.ts';
import { createBackendClient } from '../../../src/contract/index.ts';
import type { Sandbox, SandboxOptions } from '../../../src/sandbox/index.ts';
import { createMemoryShell } from '../memory-shell.ts';
import { FAST_TUNING, openWriterTestSite, SITE, type WriterTestSite } from '../writer-test-site.ts';

export interface ComponentRow {
  readonly subscription_id: number;
  readonly component_id: number;
}

export const SEATS = 277221;
export const STORAGE = 277222;
export const SUPPORT = 277225;
export const CALLS = 277230;

/** Test site for allocation changes. Its client is connected to both reader and writer. */
export interface AllocationTestSite extends WriterTestSite {
  /** Returns the subscription components that have a history in the sandbox. */
  components(component?: number): ComponentRow[];
  /** Returns the current quantity in the sandbox. */
  quantity(pair: ComponentRow): number;
  draft(from: ContractInputs['allocations']['draft']['from'], together?: boolean): Promise<AllocationDraft>;
  recheck(draft: string): Promise<Job>;
  /** Sends a draft as shown and waits until its job ends. */
  send(draft: string, resolved_by?: { stop_after?: number }): Promise<{ job: Job; draft: AllocationDraft }>;
  /** Waits until a draft's job ends. */
  waitForDraft(draft: AllocationDraft): Promise<{ job: Job; draft: AllocationDraft }>;
  getDraft(draft: string): Promise<AllocationDraft>;
  changes(draft: string, outcome?: AllocationChange['outcome'][]): Promise<AllocationChange[]>;
}

export async function openAllocationTestSite(
  options: SandboxOptions = {},
  tuning = FAST_TUNING,
  sync = true,
): Promise<AllocationTestSite> {
  const bench = await openWriterTestSite({ subscriptions: 12, months: 3, ...options }, tuning);
  if (sync) await bench.sync();
  const reader = openBackendReader({
    home: bench.home,
    version: '0.0.0',
    shell: createMemoryShell(),
    log: () => {},
  });
  const createFullClient = () => createBackendClient({ reader: reader.link, writer: bench.writer.link });
  const getDraft = (draft: string) => createFullClient().allocations.getDraft({ site: SITE, draft });
  const waitForDraft = async (draft: AllocationDraft) => ({
    job: await bench.waitForJob(draft.job ?? ''),
    draft: await getDraft(draft.draft),
  });
  const allocationMembers = {
    components: (component) =>
      [...bench.sandbox.truth.components()].filter(
        (pair) => component === undefined || pair.component_id === component,
      ),
    quantity: (pair) => getQuantity(bench.sandbox, pair),
    draft: (from, together = false) => createFullClient().allocations.draft({ site: SITE, from, together }),
    recheck: async (draft) =>
      bench.waitForJob((await createFullClient().allocations.recheck({ site: SITE, draft })).id),
    async send(draft, resolved_by = {}) {
      const { sha256 } = await getDraft(draft);
      return waitForDraft(
        await createFullClient().allocations.send({ site: SITE, draft, sha256, ...resolved_by }),
      );
    },
    waitForDraft,
    getDraft,
    async changes(draft, outcome) {
      const rows: AllocationChange[] = [];
      let after: string | undefined;
      do {
        const page = await createFullClient().allocations.changes({
          site: SITE,
          draft,
          limit: 1000,
          ...(outcome && { outcome }),
          ...(after && { after }),
        });
        rows.push(...page.rows);
        after = page.next ?? undefined;
      } while (after !== undefined);
      return rows;
    },
  } satisfies Partial<AllocationTestSite>;
  const close = async () => {
    await reader.close();
    await bench.close();
  };
  return Object.defineProperties({} as AllocationTestSite, {
    ...Object.getOwnPropertyDescriptors(bench),
    ...Object.getOwnPropertyDescriptors({ ...allocationMembers, close }),
    client: { get: createFullClient },
  });
}

export function getQuantity(sandbox: Sandbox, pair: ComponentRow): number {
  return Number(sandbox.truth.allocations(pair)[0]?.['quantity'] ?? 0);
}

export { SITE };
