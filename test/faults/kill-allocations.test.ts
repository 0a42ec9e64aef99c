import { rmSync } from 'node:fs';
import { beforeAll, expect, test } from 'vitest';
import { listDraftChanges } from '../../src/backend/store/allocations/allocation-draft.ts';
import { listAllocationDrafts } from '../../src/backend/store/allocations/allocation-draft-list.ts';
import { type Sandbox, startSandbox } from '../../src/sandbox/index.ts';
import { openAllocationTestSite, SITE } from '../backend/allocations/allocation-test-site.ts';
import { attempt, homes, killsOr, sound } from './killed.ts';

/**
 * Kills the process at random moments while it sends changes to a service that loses responses. After a restart, no
 * change is applied twice and none is forgotten, as recorded by the sandbox. `KILLS=200` kills more often.
 */
const KILLS = killsOr(1);
const CHANGES = 24;
const options = { subscriptions: 40, months: 1, outage: false };
const faults = { only: ['allocate'], lost_answer_rate: 0.06, cut_rate: 0.04, error_rate: 0.04 } as const;

const home = homes();
let drafted: string;

/** Creates a home with a checked but unsent draft. Each change has its own memo. */
beforeAll(async () => {
  const desk = await openAllocationTestSite(options, undefined, false);
  const components = desk.components().slice(0, CHANGES);
  const rows = components.map((component, at) => {
    const quantity =
      component.component_id === 277225 ? 1 - desk.quantity(component) : desk.quantity(component) + 1;
    return `${component.subscription_id},${component.component_id},${quantity},kill ${at}`;
  });
  const csv = `subscription_id,component_id,quantity,memo\n${rows.join('\n')}`;
  const { draft } = await desk.draft({ csv, name: 'kill.csv' });
  await desk.recheck(draft);
  expect(await desk.getDraft(draft)).toMatchObject({ ready: CHANGES });
  await desk.writer.close();
  drafted = home.copyOf(desk.home);
  await desk.close();
});

/** Sends or resumes the draft. */
const send = (at: string, { url, apiKey }: Sandbox, killAfter: number | null) =>
  attempt('./allocations-child.ts', [at, url, apiKey], killAfter);

async function whole(): Promise<number> {
  const sandbox = await startSandbox(options);
  const { ms } = await send(home.copyOf(drafted), sandbox, null);
  await sandbox.close();
  return ms;
}

test(
  `killed at random moments (${KILLS}), no change is applied twice or forgotten`,
  async () => {
    const ms = await whole();
    for (let kill = 0; kill < KILLS; kill++) {
      const sandbox = await startSandbox({ ...options, faults });
      const at = home.copyOf(drafted);
      await send(at, sandbox, Math.random() * ms);
      if (kill % 4 === 0) await send(at, sandbox, Math.random() * ms);
      await send(at, sandbox, null);

      const books = sound(at, 'books');
      const [draft] = listAllocationDrafts(books, SITE, 1);
      expect(draft).toMatchObject({
        state: 'done',
        outcomes: { waiting: 0, sending: 0, verifying: 0, refused: 0, quantity_changed: 0 },
      });
      for (const { ordinal, outcome, memo, subscription_id, component_id } of listDraftChanges(
        books,
        draft?.draft ?? '',
      )) {
        const component = { subscription_id: subscription_id ?? 0, component_id: component_id ?? 0 };
        const made = sandbox.truth.allocations(component).filter((each) => each['memo'] === memo).length;
        expect([ordinal, outcome, made]).toEqual([ordinal, made === 1 ? 'applied' : 'not_applied', made]);
        expect(made).toBeLessThanOrEqual(1);
      }
      expect(draft?.outcomes.applied).toBeGreaterThanOrEqual(CHANGES - 2);
      books.close();
      await sandbox.close();
      rmSync(at, { recursive: true, force: true });
    }
  },
  60_000 + KILLS * 60_000,
);
