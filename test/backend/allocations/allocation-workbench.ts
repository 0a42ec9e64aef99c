import { openReader } from '../../../src/backend/open-reader.ts';
import type { AllocationChange, AllocationDraft, Client, Inputs, Job } from '../../../src/contract/index.ts';
import { createClient } from '../../../src/contract/index.ts';
import type { Sandbox, SandboxOptions } from '../../../src/sandbox/index.ts';
import { memoryShell } from '../shell.ts';
import { openWorkbench, quick, SITE, type Workbench } from '../workbench.ts';

export interface ComponentRow {
  readonly subscription_id: number;
  readonly component_id: number;
}

export const SEATS = 277221;
export const STORAGE = 277222;
export const SUPPORT = 277225;
export const CALLS = 277230;

/** Workbench with both parts of the backend for testing allocation changes. */
export interface AllocationWorkbench extends Workbench {
  readonly both: Client;
  /** Returns the subscription components that have a history in the sandbox. */
  components(component?: number): ComponentRow[];
  /** Returns the current quantity in the sandbox. */
  quantity(pair: ComponentRow): number;
  draft(from: Inputs['allocations']['draft']['from'], together?: boolean): Promise<AllocationDraft>;
  recheck(draft: string): Promise<Job>;
  /** Sends a draft as shown and waits until its job ends. */
  send(draft: string, resolved_by?: { stop_after?: number }): Promise<{ job: Job; draft: AllocationDraft }>;
  /** Waits until a draft's job ends. */
  over(draft: AllocationDraft): Promise<{ job: Job; draft: AllocationDraft }>;
  shown(draft: string): Promise<AllocationDraft>;
  changes(draft: string, outcome?: AllocationChange['outcome'][]): Promise<AllocationChange[]>;
}

export async function openAllocationWorkbench(
  options: SandboxOptions = {},
  tuning = quick,
  sync = true,
): Promise<AllocationWorkbench> {
  const bench = await openWorkbench({ subscriptions: 12, months: 3, ...options }, tuning);
  if (sync) await bench.sync();
  const reader = openReader({ home: bench.home, version: '0.0.0', shell: memoryShell(), log: () => {} });
  const both = () => createClient({ reader: reader.link, writer: bench.writer.link });
  const shown = (draft: string) => both().allocations.getDraft({ site: SITE, draft });
  const over = async (draft: AllocationDraft) => ({
    job: await bench.ended(draft.job ?? ''),
    draft: await shown(draft.draft),
  });
  const desk = {
    get both() {
      return both();
    },
    components: (component) =>
      [...bench.sandbox.truth.components()].filter(
        (pair) => component === undefined || pair.component_id === component,
      ),
    quantity: (pair) => quantityIn(bench.sandbox, pair),
    draft: (from, together = false) => both().allocations.draft({ site: SITE, from, together }),
    recheck: async (draft) => bench.ended((await both().allocations.recheck({ site: SITE, draft })).id),
    async send(draft, resolved_by = {}) {
      const { sha256 } = await shown(draft);
      return over(await both().allocations.send({ site: SITE, draft, sha256, ...resolved_by }));
    },
    over,
    shown,
    async changes(draft, outcome) {
      const rows: AllocationChange[] = [];
      let after: string | undefined;
      do {
        const page = await both().allocations.changes({
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
  } satisfies Partial<AllocationWorkbench>;
  const close = async () => {
    await reader.close();
    await bench.close();
  };
  return Object.defineProperties({} as AllocationWorkbench, {
    ...Object.getOwnPropertyDescriptors(bench),
    ...Object.getOwnPropertyDescriptors({ ...desk, close }),
    both: { get: both },
  });
}

export function quantityIn(sandbox: Sandbox, pair: ComponentRow): number {
  return Number(sandbox.truth.allocations(pair)[0]?.['quantity'] ?? 0);
}

export { SITE };
