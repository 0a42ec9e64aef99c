import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AllocationChange } from '../../src/contract/index.ts';
import {
  type AllocationTestSite,
  type ComponentRow,
  openAllocationTestSite,
  SEATS,
  SITE,
  SUPPORT,
} from '../backend/allocations/allocation-test-site.ts';
import { measureProcessTime } from '../measure-process-time.ts';

/**
 * Sends a CSV of many changes to a service that loses responses, drops connections, fails and limits requests, with a
 * pause, a cancellation and a resumption. The report must match the sandbox's records. `ROWS=10000` sends more.
 */
const ROWS = Number(process.env['ROWS'] ?? 60);
/** Rows that must not be sent, whatever the service answers. */
const BAD = 6;
const faults = {
  only: ['allocate'] as const,
  lost_answer_rate: 0.02,
  cut_rate: 0.01,
  half_rate: 0.01,
  error_rate: 0.01,
  busy_rate: 0.01,
  retry_after: 1,
};

let desk: AllocationTestSite;
let components: ComponentRow[];
beforeAll(async () => {
  const tuning = { pacing: { delayScale: 0.001 }, delayScale: 0.002 };
  desk = await openAllocationTestSite({ subscriptions: ROWS, months: 1, outage: false }, tuning, false);
  components = desk.components().slice(0, ROWS);
});
afterAll(() => desk.close());

/** Returns the requested change of the component with this index. The service refuses every ninth one. */
function wanted(component: ComponentRow, at: number): number {
  if (at % 9 === 8) return 999_999_999;
  return component.component_id === SUPPORT
    ? 1 - desk.quantity(component)
    : desk.quantity(component) + 1 + (at % 3);
}

test(
  `a CSV of ${ROWS} changes: progress, pause, cancellation, resumption and a correct report`,
  async () => {
    const before = new Map(
      components.map((component) => [key(component), desk.sandbox.truth.allocations(component).length]),
    );
    const rows = components.map(
      (component, at) =>
        `${component.subscription_id},${component.component_id},${wanted(component, at)},row ${at}`,
    );
    const [one, two] = components as [ComponentRow, ComponentRow];
    const bad = [
      `${one.subscription_id},${SEATS},,`,
      'x,1,1,',
      `1,${SEATS},5,nobody`,
      `${two.subscription_id},99,5,nothing`,
      `${components.at(-1)?.subscription_id},${components.at(-1)?.component_id},${wanted(components.at(-1) as ComponentRow, ROWS - 1)},row ${ROWS - 1}`,
      '"never closed',
    ];
    expect(bad).toHaveLength(BAD);
    const csv = `subscription_id,component_id,quantity,memo\n${[...rows, ...bad].join('\n')}`;
    const { draft } = await desk.draft({ csv, name: 'many.csv' });
    await desk.recheck(draft);
    const shown = await desk.getDraft(draft);
    expect(shown).toMatchObject({
      count: ROWS + BAD,
      ready: ROWS,
      problems: { unreadable: 3, missing: 2, duplicate: 1, contradiction: 0, unknown_component: 0 },
    });

    desk.sandbox.setFaults(faults);
    const { client } = desk;
    const stop_after = ROWS;
    const begun = await client.allocations.send({ site: SITE, draft, sha256: shown.sha256, stop_after });
    const job = begun.job ?? '';
    const applied = async () => (await desk.getDraft(draft)).outcomes.applied;
    await seen(job, (done) => done > ROWS / 6);
    await client.allocations.pause({ site: SITE, draft });
    await seen(job, () => true, 'paused');
    await desk.getDraft(draft).then(({ state }) => expect(state).toBe('paused'));
    await client.allocations.resume({ site: SITE, draft });
    await seen(job, (done) => done > ROWS / 3);
    expect(await measureProcessTime(() => client.allocations.cancel({ site: SITE, draft }))).toBeLessThan(
      1500,
    );
    const canceled = await applied();
    expect(await desk.getDraft(draft)).toMatchObject({ state: 'canceled' });
    expect(canceled).toBeLessThan(ROWS);
    expect(await applied()).toBe(canceled);

    const { draft: done, job: last } = await desk.waitForDraft(
      await client.allocations.resume({ site: SITE, draft }),
    );
    expect(done).toMatchObject({
      state: 'done',
      outcomes: { waiting: 0, sending: 0, verifying: 0, quantity_changed: 0 },
    });
    expect(last.progress[0]).toMatchObject({ part: 'changes', total: ROWS, done: ROWS });
    desk.sandbox.setFaults({});

    const report = await client.allocations.report({ site: SITE, draft, format: 'csv' });
    const lines = parse<Record<string, string>>(readFileSync(join(desk.home, report.blob), 'utf8'), {
      columns: true,
    });
    expect(lines).toHaveLength(ROWS + BAD);
    const refused = components.filter((_, index) => index % 9 === 8).length;
    expect(done.outcomes.refused).toBe(refused);
    for (const [index, component] of components.entries()) {
      const history = desk.sandbox.truth.allocations(component);
      const made = history.filter((each) => each['memo'] === `row ${index}`);
      expect(made.length).toBeLessThanOrEqual(1);
      expect(history.length - (before.get(key(component)) ?? 0)).toBe(made.length);
      const outcome = index % 9 === 8 ? 'refused' : made.length === 1 ? 'applied' : 'not_applied';
      const line = lines[index];
      expect([line?.['line'], line?.['outcome']]).toEqual([String(index + 2), outcome]);
      if (outcome === 'applied') {
        expect(line).toMatchObject({
          quantity: String(made[0]?.['quantity']),
          recorded_at: made[0]?.['timestamp'],
        });
      }
    }
    expect(done.outcomes.applied + done.outcomes.not_applied).toBe(ROWS - refused);
    expect(done.outcomes.not_applied).toBeLessThanOrEqual(ROWS / 1000);
    expect(lines.slice(ROWS).map((line) => [line['outcome'], line['problem']])).toEqual(
      ['unreadable', 'unreadable', 'missing', 'missing', 'duplicate', 'unreadable'].map((problem) => [
        'not_sent',
        problem,
      ]),
    );
    const json = await client.allocations.report({ site: SITE, draft, format: 'json' });
    const { changes } = JSON.parse(readFileSync(join(desk.home, json.blob), 'utf8')) as {
      changes: AllocationChange[];
    };
    expect(changes.map(({ outcome }) => outcome)).toEqual(
      (await desk.changes(draft)).map(({ outcome }) => outcome),
    );
  },
  60_000 + ROWS * 200,
);

const key = (component: ComponentRow) => `${component.subscription_id}/${component.component_id}`;

/** Waits until the job has this state and this number of finished changes. */
async function seen(job: string, enough: (done: number) => boolean, state = 'running'): Promise<void> {
  for await (const now of await desk.client.jobs.watch({ site: SITE, job })) {
    const changes = now.progress.find(({ part }) => part === 'changes');
    if (changes && enough(changes.done) && now.state === state) return;
  }
  throw new Error('It ended before.');
}
