import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AllocationDraft } from '../../../src/contract/index.ts';
import type { FaultSpec } from '../../../src/sandbox/index.ts';
import { lived } from '../../lived.ts';
import { allocationDifferences } from '../truth.ts';
import {
  type AllocationWorkbench,
  type ComponentRow,
  openAllocationWorkbench,
  SEATS,
  SITE,
  STORAGE,
} from './allocation-workbench.ts';

describe.each(['json', 'xml'] as const)('a site in %s', (format) => {
  let desk: AllocationWorkbench;
  beforeAll(async () => {
    desk = await openAllocationWorkbench(
      { subscriptions: 24 },
      { pacing: { delayScale: 0.001 }, delayScale: 0.002 },
    );
    await desk.client.sites.update({ site: SITE, format });
  });
  afterAll(() => desk.close());

  const only: NonNullable<FaultSpec['only']> = ['allocate', 'allocate_many'];
  let turn = 0;

  /** Sends one change while the sandbox fails. Returns how many times the service applied it. */
  async function sendUnder(
    faults: FaultSpec,
    together = false,
  ): Promise<{ made: number; draft: AllocationDraft }> {
    const components = desk.components(SEATS);
    const component = components[turn++ % components.length] as ComponentRow;
    const beside = { ...component, component_id: STORAGE };
    const changes = (together ? [component, beside] : [component]).map((each) => ({
      ...each,
      quantity: desk.quantity(each) + 1,
    }));
    const before = desk.sandbox.truth.allocations(component).length;
    const { draft } = await desk.draft({ changes }, together);
    await desk.recheck(draft);
    desk.sandbox.setFaults({ only, ...faults });
    const { draft: sent } = await desk.send(draft);
    desk.sandbox.setFaults({});
    return { made: desk.sandbox.truth.allocations(component).length - before, draft: sent };
  }

  test.each<[string, FaultSpec, 'response' | 'history']>([
    ['the response is lost after the change was made', { lost_answer_rate: 1, times: 1 }, 'history'],
    ['the connection is closed before the change was made', { cut_rate: 1, times: 1 }, 'response'],
    ['the response breaks off', { half_rate: 1, times: 1 }, 'response'],
    ['the response is truncated', { short_rate: 1, times: 1 }, 'response'],
    ['the response is a web page after the change was made', { html_rate: 1, times: 1 }, 'history'],
    ['the service fails without making the change', { error_rate: 1, times: 1 }, 'response'],
    ['the service limits the request rate', { busy_rate: 1, times: 2, retry_after: 1 }, 'response'],
    [
      'responses are lost, then the service fails',
      { lost_answer_rate: 0.5, error_rate: 0.5, times: 2 },
      'history',
    ],
  ])('a change is applied exactly once if %s', async (_, faults, resolved_by) => {
    const { made, draft } = await sendUnder(faults);
    const [change] = await desk.changes(draft.draft);
    expect(made).toBe(1);
    expect(change).toMatchObject({ outcome: 'applied', applied: { quantity: change?.quantity } });
    if (!('lost_answer_rate' in faults && 'error_rate' in faults))
      expect(change?.resolved_by).toBe(resolved_by);
    expect(change?.requests.at(-1)?.state).toBe('applied');
    expect(allocationDifferences(desk.cache(), desk.sandbox.truth)).toEqual([]);
  });

  test('several changes of a request with a lost response are each found in their history', async () => {
    const { made, draft } = await sendUnder({ lost_answer_rate: 1, times: 1 }, true);
    expect(made).toBe(1);
    expect(draft.outcomes.applied).toBe(2);
    for (const change of await desk.changes(draft.draft)) {
      expect(change).toMatchObject({ outcome: 'applied', resolved_by: 'history' });
      expect(change.evidence).toMatchObject({ before: { equal: 0 }, after: { equal: 1 } });
      expect(change.evidence?.verdict).toMatch(/^The history contains the change/);
    }
  });

  test('a change whose requests never arrive is sent three times, then recorded as not applied', async () => {
    const { made, draft } = await sendUnder({ error_rate: 1 });
    expect(made).toBe(0);
    const [change] = await desk.changes(draft.draft);
    expect(change).toMatchObject({ outcome: 'not_applied', resolved_by: 'history' });
    expect(change?.requests.map(({ state }) => state)).toEqual(['not_applied', 'not_applied', 'not_applied']);
    const again = await desk.client.allocations.redraft({ site: SITE, draft: draft.draft });
    expect(again).toMatchObject({ source: 'again', count: 1 });
    expect((await desk.send(again.draft)).draft.outcomes.applied).toBe(1);
  });

  test('a refused key stops sending at once; with a valid key it can be resumed', async () => {
    const components = desk.components(SEATS).slice(0, 6);
    const { draft } = await desk.draft({
      changes: components.map((component) => ({ ...component, quantity: desk.quantity(component) + 1 })),
    });
    await desk.recheck(draft);
    desk.sandbox.setFaults({ expire_key_after: 7 });
    const stopped = await desk.send(draft);
    expect(stopped.job).toMatchObject({
      state: 'failed',
      error: { message: expect.stringContaining('rejected the API key') },
    });
    expect(stopped.draft).toMatchObject({
      state: 'stopped',
      reason: expect.stringContaining('rejected the API key'),
    });
    expect(stopped.draft.outcomes.waiting).toBeGreaterThan(0);
    desk.sandbox.setFaults({});
    const done = await desk.over(await desk.client.allocations.resume({ site: SITE, draft }));
    expect(done.draft).toMatchObject({ state: 'done', outcomes: { applied: 6, waiting: 0 } });
    expect(allocationDifferences(desk.cache(), desk.sandbox.truth)).toEqual([]);
  });

  test('sending stops after the set number of failures and can be resumed', async () => {
    const components = desk.components(SEATS).slice(6, 16);
    const changes = components.map((component, at) => ({
      ...component,
      quantity: at % 2 === 0 ? 999_999_999 : desk.quantity(component) + 1,
    }));
    const { draft } = await desk.draft({ changes });
    const stopped = await desk.send(draft, { stop_after: 2 });
    expect(stopped.draft).toMatchObject({ state: 'stopped', outcomes: { refused: expect.any(Number) } });
    expect(stopped.draft.reason).toMatch(
      /^Stopped after 2 changes were not applied\. Latest reason: .*less than or equal to 100000/,
    );
    expect(stopped.draft.outcomes.waiting).toBeGreaterThan(0);
    let { draft: now } = stopped;
    while (now.state === 'stopped')
      now = (await desk.over(await desk.client.allocations.resume({ site: SITE, draft }))).draft;
    expect(now).toMatchObject({ state: 'done', outcomes: { refused: 5, applied: 5, waiting: 0 } });
  });

  test('a draft made offline is stored, checked once online, and sent only on command', async () => {
    const component = desk.components(SEATS)[7] as ComponentRow;
    const before = desk.quantity(component);
    desk.sandbox.setFaults({ cut_rate: 1 });
    const { draft } = await desk.draft({ changes: [{ ...component, quantity: before + 6 }] });
    const failed = await desk.recheck(draft);
    expect(failed).toMatchObject({ state: 'failed', error: { code: 'network' } });
    const { sha256 } = await desk.shown(draft);
    const tried = await desk.over(await desk.client.allocations.send({ site: SITE, draft, sha256 }));
    expect(tried.draft).toMatchObject({
      state: 'stopped',
      reason: expect.stringContaining('cannot be reached'),
    });
    await desk.reopen();
    expect(await desk.shown(draft)).toMatchObject({ state: 'stopped', outcomes: { waiting: 1 } });
    expect(desk.quantity(component)).toBe(before);
    desk.sandbox.setFaults({});
    const sent = await desk.over(await desk.client.allocations.resume({ site: SITE, draft }));
    expect(sent.draft).toMatchObject({ state: 'done', outcomes: { applied: 1 } });
    expect(desk.quantity(component)).toBe(before + 6);
  });

  test('a change made by someone else is not overwritten, and a check of the draft shows it', async () => {
    const [first, second] = desk.components(SEATS) as [ComponentRow, ComponentRow];
    const changes = [first, second].map((component) => ({
      ...component,
      quantity: desk.quantity(component) + 5,
    }));
    const { draft } = await desk.draft({ changes });
    await elsewhere(first, desk.quantity(first) + 1);
    const { draft: sent } = await desk.send(draft);
    expect(sent.outcomes).toMatchObject({ applied: 1, quantity_changed: 1 });
    const [moved] = await desk.changes(draft, ['quantity_changed']);
    expect(moved?.error?.message).toMatch(
      /^The quantity is now \d+. It was \d+ when you confirmed the change\. Nothing was sent\.$/,
    );

    const again = await desk.client.allocations.redraft({ site: SITE, draft });
    await elsewhere(first, desk.quantity(first) + 1);
    const job = await desk.recheck(again.draft);
    expect(job.summary).toBe('1 of 1 can be sent; 1 quantity has changed since the draft was created.');
    const refused = desk.client.allocations.send({ site: SITE, draft: again.draft, sha256: again.sha256 });
    await expect(refused).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('has changed since it was shown'),
    });
  });

  test('a change that the history cannot decide is left to a person and blocks its component', async () => {
    const component = desk.components(SEATS).at(-1) as ComponentRow;
    const from = desk.quantity(component);
    const { draft } = await desk.draft({ changes: [{ ...component, quantity: from + 4, memo: 'Mine' }] });
    // Another client makes the same change with a different memo while the response is lost.
    desk.sandbox.setFaults({ only: ['allocate'], stall_rate: 1, times: 1 });
    const { sha256 } = await desk.shown(draft);
    const asked = () => desk.sandbox.requests.byKind.allocate ?? 0;
    const before = asked();
    const begun = await desk.client.allocations.send({ site: SITE, draft, sha256 });
    await expect.poll(asked, { interval: 5 }).toBeGreaterThan(before);
    await elsewhere(component, from + 4);
    expect(await lived(() => desk.client.allocations.cancel({ site: SITE, draft }))).toBeLessThan(1500);
    expect(await desk.shown(draft)).toMatchObject({ state: 'canceled', outcomes: { verifying: 1 } });
    const other = await desk.draft({ changes: [{ ...component, quantity: from + 9 }] });
    await desk.recheck(other.draft);
    const shown = await desk.shown(other.draft);
    const early = desk.client.allocations.send({ site: SITE, draft: other.draft, sha256: shown.sha256 });
    await expect(early).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('outcome is still unknown'),
    });

    const looked = await desk.client.allocations.look({ site: SITE, draft, ordinal: 0 });
    expect(looked).toMatchObject({
      outcome: 'undecided',
      evidence: {
        before: { quantity: from },
        after: { quantity: from + 4 },
        entries: [{ quantity: from + 4, memo: null }],
      },
    });
    expect(looked.evidence?.verdict).toMatch(/same quantity, but a different previous quantity or memo/);
    const decided = await desk.client.allocations.decide({
      site: SITE,
      draft,
      ordinal: 0,
      as: 'not_applied',
      reason: 'Asked the service.',
    });
    expect(decided).toMatchObject({ outcome: 'not_applied', resolved_by: 'user' });
    const audit = await desk.both.audit.list({
      site: SITE,
      filter: { action: 'allocations.mark-not-applied' },
    });
    expect(audit.rows[0]).toMatchObject({ reason: 'Asked the service.' });
    expect((await desk.send(other.draft)).draft.outcomes.applied).toBe(1);
    expect(begun.state).toBe('running');
  });

  /** Makes a change directly at the service, as another client would. */
  async function elsewhere(component: ComponentRow, quantity: number): Promise<void> {
    const { url, apiKey } = desk.sandbox;
    const answer = await fetch(
      `${url}/subscriptions/${component.subscription_id}/components/${component.component_id}/allocations.json`,
      {
        method: 'POST',
        headers: {
          authorization: `Basic ${Buffer.from(`${apiKey}:x`).toString('base64')}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ allocation: { quantity } }),
      },
    );
    expect(answer.status).toBe(201);
  }
});
