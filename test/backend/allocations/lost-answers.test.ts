import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AllocationDraft } from '../../../src/contract/index.ts';
import type { FaultSpec } from '../../../src/sandbox/index.ts';
import { measureProcessTime } from '../../measure-process-time.ts';
import { findAllocationDifferences } from '../find-differences.ts';
import {
  type AllocationTestSite,
  type ComponentRow,
  openAllocationTestSite,
  SEATS,
  SITE,
  STORAGE,
} from './allocation-test-site.ts';

describe.each(['json', 'xml'] as const)('a site in %s', (format) => {
  let testSite: AllocationTestSite;
  beforeAll(async () => {
    testSite = await openAllocationTestSite(
      { subscriptions: 24 },
      { pacing: { delayScale: 0.001 }, delayScale: 0.002 },
    );
    await testSite.client.sites.update({ site: SITE, format });
  });
  afterAll(() => testSite.close());

  const allocationRequests: NonNullable<FaultSpec['only']> = ['allocate', 'allocate_many'];
  let turn = 0;

  /** Sends one change while the sandbox fails. Returns how many times the service applied it. */
  async function sendDuringFaults(
    faults: FaultSpec,
    together = false,
  ): Promise<{ made: number; draft: AllocationDraft }> {
    const components = testSite.components(SEATS);
    const component = components[turn++ % components.length] as ComponentRow;
    const beside = { ...component, component_id: STORAGE };
    const changes = (together ? [component, beside] : [component]).map((each) => ({
      ...each,
      quantity: testSite.quantity(each) + 1,
    }));
    const before = testSite.sandbox.truth.allocations(component).length;
    const { draft } = await testSite.draft({ changes }, together);
    await testSite.recheck(draft);
    testSite.sandbox.setFaults({ only: allocationRequests, ...faults });
    const { draft: sent } = await testSite.send(draft);
    testSite.sandbox.setFaults({});
    return { made: testSite.sandbox.truth.allocations(component).length - before, draft: sent };
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
    const { made, draft } = await sendDuringFaults(faults);
    const [change] = await testSite.changes(draft.draft);
    expect(made).toBe(1);
    expect(change).toMatchObject({ outcome: 'applied', applied: { quantity: change?.quantity } });
    if (!('lost_answer_rate' in faults && 'error_rate' in faults))
      expect(change?.resolved_by).toBe(resolved_by);
    expect(change?.requests.at(-1)?.state).toBe('applied');
    expect(findAllocationDifferences(testSite.cache(), testSite.sandbox.truth)).toEqual([]);
  });

  test('several changes of a request with a lost response are each found in their history', async () => {
    const { made, draft } = await sendDuringFaults({ lost_answer_rate: 1, times: 1 }, true);
    expect(made).toBe(1);
    expect(draft.outcomes.applied).toBe(2);
    for (const change of await testSite.changes(draft.draft)) {
      expect(change).toMatchObject({ outcome: 'applied', resolved_by: 'history' });
      expect(change.evidence).toMatchObject({ before: { equal: 0 }, after: { equal: 1 } });
      expect(change.evidence?.verdict).toMatch(/^The history contains the change/);
    }
  });

  test('a change whose requests never arrive is sent three times, then recorded as not applied', async () => {
    const { made, draft } = await sendDuringFaults({ error_rate: 1 });
    expect(made).toBe(0);
    const [change] = await testSite.changes(draft.draft);
    expect(change).toMatchObject({ outcome: 'not_applied', resolved_by: 'history' });
    expect(change?.requests.map(({ state }) => state)).toEqual(['not_applied', 'not_applied', 'not_applied']);
    const again = await testSite.client.allocations.redraft({ site: SITE, draft: draft.draft });
    expect(again).toMatchObject({ source: 'again', count: 1 });
    expect((await testSite.send(again.draft)).draft.outcomes.applied).toBe(1);
  });

  test('a refused key stops sending at once; with a valid key it can be resumed', async () => {
    const components = testSite.components(SEATS).slice(0, 6);
    const { draft } = await testSite.draft({
      changes: components.map((component) => ({ ...component, quantity: testSite.quantity(component) + 1 })),
    });
    await testSite.recheck(draft);
    testSite.sandbox.setFaults({ expire_key_after: 7 });
    const stopped = await testSite.send(draft);
    expect(stopped.job).toMatchObject({
      state: 'failed',
      error: { message: expect.stringContaining('rejected the API key') },
    });
    expect(stopped.draft).toMatchObject({
      state: 'stopped',
      reason: expect.stringContaining('rejected the API key'),
    });
    expect(stopped.draft.outcomes.waiting).toBeGreaterThan(0);
    testSite.sandbox.setFaults({});
    const done = await testSite.waitForDraft(await testSite.client.allocations.resume({ site: SITE, draft }));
    expect(done.draft).toMatchObject({ state: 'done', outcomes: { applied: 6, waiting: 0 } });
    expect(findAllocationDifferences(testSite.cache(), testSite.sandbox.truth)).toEqual([]);
  });

  test('sending stops after the set number of failures and can be resumed', async () => {
    const components = testSite.components(SEATS).slice(6, 16);
    const changes = components.map((component, at) => ({
      ...component,
      quantity: at % 2 === 0 ? 999_999_999 : testSite.quantity(component) + 1,
    }));
    const { draft } = await testSite.draft({ changes });
    const stopped = await testSite.send(draft, { stop_after: 2 });
    expect(stopped.draft).toMatchObject({ state: 'stopped', outcomes: { refused: expect.any(Number) } });
    expect(stopped.draft.reason).toMatch(
      /^Stopped after 2 changes were not applied\. Latest reason: .*less than or equal to 100000/,
    );
    expect(stopped.draft.outcomes.waiting).toBeGreaterThan(0);
    let { draft: now } = stopped;
    while (now.state === 'stopped')
      now = (await testSite.waitForDraft(await testSite.client.allocations.resume({ site: SITE, draft })))
        .draft;
    expect(now).toMatchObject({ state: 'done', outcomes: { refused: 5, applied: 5, waiting: 0 } });
  });

  test('a draft made offline is stored, checked once online, and sent only on command', async () => {
    const component = testSite.components(SEATS)[7] as ComponentRow;
    const before = testSite.quantity(component);
    testSite.sandbox.setFaults({ cut_rate: 1 });
    const { draft } = await testSite.draft({ changes: [{ ...component, quantity: before + 6 }] });
    const failed = await testSite.recheck(draft);
    expect(failed).toMatchObject({ state: 'failed', error: { code: 'network' } });
    const { sha256 } = await testSite.getDraft(draft);
    const tried = await testSite.waitForDraft(
      await testSite.client.allocations.send({ site: SITE, draft, sha256 }),
    );
    expect(tried.draft).toMatchObject({
      state: 'stopped',
      reason: expect.stringContaining('cannot be reached'),
    });
    await testSite.reopen();
    expect(await testSite.getDraft(draft)).toMatchObject({ state: 'stopped', outcomes: { waiting: 1 } });
    expect(testSite.quantity(component)).toBe(before);
    testSite.sandbox.setFaults({});
    const sent = await testSite.waitForDraft(await testSite.client.allocations.resume({ site: SITE, draft }));
    expect(sent.draft).toMatchObject({ state: 'done', outcomes: { applied: 1 } });
    expect(testSite.quantity(component)).toBe(before + 6);
  });

  test('a change made by someone else is not overwritten, and a check of the draft shows it', async () => {
    const [first, second] = testSite.components(SEATS) as [ComponentRow, ComponentRow];
    const changes = [first, second].map((component) => ({
      ...component,
      quantity: testSite.quantity(component) + 5,
    }));
    const { draft } = await testSite.draft({ changes });
    await changeOutsideApp(first, testSite.quantity(first) + 1);
    const { draft: sent } = await testSite.send(draft);
    expect(sent.outcomes).toMatchObject({ applied: 1, quantity_changed: 1 });
    const [moved] = await testSite.changes(draft, ['quantity_changed']);
    expect(moved?.error?.message).toMatch(
      /^The quantity is now \d+. It was \d+ when you confirmed the change\. Nothing was sent\.$/,
    );

    const again = await testSite.client.allocations.redraft({ site: SITE, draft });
    await changeOutsideApp(first, testSite.quantity(first) + 1);
    const job = await testSite.recheck(again.draft);
    expect(job.summary).toBe('1 of 1 can be sent; 1 quantity has changed since the draft was created.');
    const refused = testSite.client.allocations.send({
      site: SITE,
      draft: again.draft,
      sha256: again.sha256,
    });
    await expect(refused).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('has changed since it was shown'),
    });
  });

  test('a change that the history cannot decide is left to a person and blocks its component', async () => {
    const component = testSite.components(SEATS).at(-1) as ComponentRow;
    const from = testSite.quantity(component);
    const { draft } = await testSite.draft({ changes: [{ ...component, quantity: from + 4, memo: 'Mine' }] });
    // Another client makes the same change with a different memo while the response is lost.
    testSite.sandbox.setFaults({ only: ['allocate'], stall_rate: 1, times: 1 });
    const { sha256 } = await testSite.getDraft(draft);
    const asked = () => testSite.sandbox.requests.byKind.allocate ?? 0;
    const before = asked();
    const begun = await testSite.client.allocations.send({ site: SITE, draft, sha256 });
    await expect.poll(asked, { interval: 5 }).toBeGreaterThan(before);
    await changeOutsideApp(component, from + 4);
    expect(
      await measureProcessTime(() => testSite.client.allocations.cancel({ site: SITE, draft })),
    ).toBeLessThan(1500);
    expect(await testSite.getDraft(draft)).toMatchObject({ state: 'canceled', outcomes: { verifying: 1 } });
    const other = await testSite.draft({ changes: [{ ...component, quantity: from + 9 }] });
    await testSite.recheck(other.draft);
    const shown = await testSite.getDraft(other.draft);
    const earlyDecision = testSite.client.allocations.send({
      site: SITE,
      draft: other.draft,
      sha256: shown.sha256,
    });
    await expect(earlyDecision).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringContaining('outcome is still unknown'),
    });

    const checkedDraft = await testSite.client.allocations.look({ site: SITE, draft, ordinal: 0 });
    expect(checkedDraft).toMatchObject({
      outcome: 'undecided',
      evidence: {
        before: { quantity: from },
        after: { quantity: from + 4 },
        entries: [{ quantity: from + 4, memo: null }],
      },
    });
    expect(checkedDraft.evidence?.verdict).toMatch(
      /same quantity, but a different previous quantity or memo/,
    );
    const decided = await testSite.client.allocations.decide({
      site: SITE,
      draft,
      ordinal: 0,
      as: 'not_applied',
      reason: 'Asked the service.',
    });
    expect(decided).toMatchObject({ outcome: 'not_applied', resolved_by: 'user' });
    const audit = await testSite.client.audit.list({
      site: SITE,
      filter: { action: 'allocations.mark-not-applied' },
    });
    expect(audit.rows[0]).toMatchObject({ reason: 'Asked the service.' });
    expect((await testSite.send(other.draft)).draft.outcomes.applied).toBe(1);
    expect(begun.state).toBe('running');
  });

  /** Makes a change directly at the service, as another client would. */
  async function changeOutsideApp(component: ComponentRow, quantity: number): Promise<void> {
    const { url, apiKey } = testSite.sandbox;
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
