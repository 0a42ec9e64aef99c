import { describe, expect, test } from 'vitest';
import { parseFaultSpec, type SandboxOptions } from '../../src/sandbox/index.ts';
import { basicAuthorization, type JsonObject, startTestSandbox } from './sandbox-client.ts';

/** Returns the outcomes of 60 consecutive requests under a fault: the status, or `cut`. */
async function fetchSixtyTimes(
  faults: string,
  path = '/webhooks.json?per_page=2',
): Promise<(number | string)[]> {
  const { get, sandbox } = await startTestSandbox({ faults });
  const outcomes: (number | string)[] = [];
  for (let i = 0; i < 60; i++) {
    const outcome = await get(path).then(
      (response) =>
        response.status === 200 && !response.type.includes('json') ? response.type : response.status,
      () => 'cut',
    );
    outcomes.push(outcome);
  }
  expect(sandbox.requests.total).toBe(60);
  return outcomes;
}

const count = (outcomes: readonly unknown[], predicate: unknown): number =>
  outcomes.filter((one) => one === predicate).length;

describe('fault specification', () => {
  test('is parsed from text', () => {
    expect(
      parseFaultSpec(
        'latency=20..80, error_rate=0.05,burst=20/5,retry_after=date,only=webhooks+pdf,poison=1+2,unstable_ties',
      ),
    ).toEqual({
      latency: [20, 80],
      error_rate: 0.05,
      burst: [20, 5],
      retry_after: 'date',
      only: ['webhooks', 'pdf'],
      poison: [1, 2],
      unstable_ties: true,
    });
    expect(
      parseFaultSpec(
        'latency=5,retry_after=3,plant.gap=2,plant.overlap,set.maxPerPage=50,set.wrapStatements=false,set.retryAfter=1/2,set.timeZone=Asia/Tokyo',
      ),
    ).toEqual({
      latency: [5, 5],
      retry_after: 3,
      plant: { gap: 2, overlap: 1 },
      set: { maxPerPage: 50, wrapStatements: false, retryAfter: [1, 2], timeZone: 'Asia/Tokyo' },
    });
    expect(parseFaultSpec('')).toEqual({});
  });

  test.each([
    ['slow=1', 'there is no fault slow; valid faults are latency,'],
    ['error_rate=2', 'fault error_rate cannot have the value 2'],
    ['latency=fast', 'fault latency cannot have the value [null,null]'],
    ['plant.hole=1', 'valid kinds of planted errors are arithmetic,'],
    ['set.color=red', 'valid settings are timeZone,'],
    ['only=webhook', 'valid kinds of requests are webhooks,'],
    ['endpoint_down=x..y', 'fault endpoint_down cannot have the value'],
  ])('%s is refused', (text, message) => {
    expect(() => parseFaultSpec(text)).toThrow(message);
  });
});

describe('network faults', () => {
  test('occur at the requested rate, and identically in each run', async () => {
    const errors = await fetchSixtyTimes('error_rate=0.3');
    expect(errors.filter((one) => typeof one === 'number' && one >= 500).length).toBeGreaterThan(8);
    expect(count(errors, 200)).toBeGreaterThan(30);
    expect(await fetchSixtyTimes('error_rate=0.3')).toEqual(errors);
  });

  test('occur in bursts', async () => {
    const outcomes = await fetchSixtyTimes('burst=20/5');
    expect(outcomes.slice(0, 15).every((one) => one === 200)).toBe(true);
    expect(outcomes.slice(15, 20)).toEqual(Array(5).fill(503));
    expect(count(outcomes, 503)).toBe(15);
  });

  test('close connections before the response or in the middle of its body', async () => {
    expect(count(await fetchSixtyTimes('cut_rate=0.2'), 'cut')).toBeGreaterThan(4);
    expect(count(await fetchSixtyTimes('half_rate=0.2'), 'cut')).toBeGreaterThan(4);
  });

  test('return HTML, a wrong content type, and truncated bodies', async () => {
    expect(count(await fetchSixtyTimes('html_rate=0.2'), 'text/html; charset=utf-8')).toBeGreaterThan(4);
    expect(count(await fetchSixtyTimes('type_rate=0.2'), 'text/plain; charset=utf-8')).toBeGreaterThan(4);
    const { get } = await startTestSandbox({ faults: 'short_rate=1' });
    const response = await get('/webhooks.json');
    expect(response.status).toBe(200);
    expect(() => response.json()).toThrow(SyntaxError);
    expect(Number(response.headers.get('content-length'))).toBe(response.bytes.length);
  });

  test('return 429, with and without Retry-After', async () => {
    const { get, sandbox } = await startTestSandbox({ faults: 'busy_rate=1' });
    const plain = await get('/webhooks.json');
    expect(plain.status).toBe(429);
    expect(plain.text).toContain('Your request was denied due to a usage violation.');
    expect(plain.headers.has('retry-after')).toBe(false);
    sandbox.setFaults('busy_rate=1,retry_after=7');
    expect((await get('/webhooks.json')).headers.get('retry-after')).toBe('7');
    sandbox.setFaults('busy_rate=1,retry_after=date');
    const date = (await get('/webhooks.json')).headers.get('retry-after') as string;
    expect(Date.parse(date)).toBeGreaterThan(0);
  });

  test('delay responses, or never send them', async () => {
    const { get, sandbox } = await startTestSandbox({ faults: 'latency=120' });
    const start = performance.now();
    await get('/webhooks.json');
    expect(performance.now() - start).toBeGreaterThan(110);
    sandbox.setFaults('stall_rate=1');
    const signal = AbortSignal.timeout(150);
    await expect(
      fetch(`${sandbox.url}/webhooks.json`, {
        signal,
        headers: { authorization: basicAuthorization(sandbox.apiKey) },
      }),
    ).rejects.toThrow('timeout');
  });

  test('affect only the given kinds of requests, after the given count and for the given number of times', async () => {
    const { get, sandbox } = await startTestSandbox({
      faults: 'error_rate=1,only=statement_ids,after=1,times=2',
    });
    const ask = async (): Promise<number> => (await get('/statements/ids.json')).status;
    const seen = [await ask(), await ask(), (await get('/webhooks.json')).status, await ask(), await ask()];
    expect(seen.map((status) => (status >= 500 ? 'error' : status))).toEqual([
      200,
      'error',
      200,
      'error',
      200,
    ]);
    sandbox.setFaults({});
    expect(await ask()).toBe(200);
  });

  test('drop the response of a POST that took effect', async () => {
    const { post, sandbox } = await startTestSandbox({
      faults: 'lost_answer_rate=1',
      settings: { queueDelay: 1 },
    });
    const [pair] = [...sandbox.truth.components()];
    if (!pair) throw new Error('no pair');
    const had = sandbox.truth.allocations(pair).length;
    const path = `/subscriptions/${pair.subscription_id}/components/${pair.component_id}/allocations.json`;
    await expect(post(path, { allocation: { quantity: 91 } })).rejects.toThrow();
    expect(sandbox.truth.allocations(pair)).toHaveLength(had + 1);
  });

  test('repeat a page, reject the key after some requests, and send a wrong date', async () => {
    const { getList, get, sandbox } = await startTestSandbox({ faults: 'stale_page_rate=1' });
    const order = 'order=oldest_first';
    expect(await getList(`/webhooks.json?${order}&page=3`)).toEqual(
      await getList(`/webhooks.json?${order}&page=3`),
    );
    const [stale] = await getList(`/webhooks.json?${order}&page=3`);
    expect(stale?.['id']).toBe([...sandbox.truth.webhooks()][20]?.['id']);
    sandbox.setFaults('expire_key_after=2');
    expect(
      [await get('/webhooks.json'), await get('/webhooks.json'), await get('/webhooks.json')].map(
        ({ status }) => status,
      ),
    ).toEqual([200, 200, 401]);
    sandbox.setFaults('skew=-7200');
    expect((await get('/webhooks.json')).headers.get('date')).toMatch(/^Sun, 01 Nov 2026 04:00:/);
  });

  test('return 500 for every page and entity that contains a poison row', async () => {
    const { get, sandbox } = await startTestSandbox();
    const webhooks = [...sandbox.truth.webhooks()];
    const [statement] = [...sandbox.truth.statements()];
    sandbox.setFaults({ poison: [webhooks[44]?.['id'] as number, statement?.['id'] as number] });
    const status = async (path: string): Promise<number> => (await get(path)).status;
    expect(await status('/webhooks.json?order=oldest_first&page=3')).toBe(500);
    expect(await status('/webhooks.json?order=oldest_first&page=2')).toBe(200);
    expect(await status('/webhooks.xml?order=oldest_first&per_page=1&page=45')).toBe(500);
    expect(await status(`/statements/${statement?.['id']}.json`)).toBe(500);
    expect(await status(`/subscriptions/${statement?.['subscription_id']}/statements.json`)).toBe(500);
  });

  test('limit concurrent requests and reject those that are queued too long', async () => {
    const { get, sandbox } = await startTestSandbox({ faults: 'concurrency=2,latency=100' });
    const id = [...sandbox.truth.statements()][0]?.['id'];
    const answers = await Promise.all(Array.from({ length: 30 }, () => get(`/statements/${id}.pdf`)));
    const busy = answers.filter(({ status }) => status === 429).length;
    expect(busy).toBeGreaterThan(0);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(30 - busy);
    expect(sandbox.requests.peak).toBeGreaterThan(2);
  });
});

describe('list that changes while it is read', () => {
  test('gains new rows and loses failed ones between pages', async () => {
    const { getList, sandbox } = await startTestSandbox({ faults: 'drift=3' });
    const before = sandbox.truth.counts();
    const failed = [...sandbox.truth.webhooks()].filter(({ successful }) => !successful);
    const all = await getList('/webhooks.json?status=failed&order=oldest_first&per_page=10');
    const next = await getList('/webhooks.json?status=failed&order=oldest_first&per_page=10&page=2');
    const after = sandbox.truth.counts();
    expect(after.webhooks).toBe(before.webhooks + 6);
    expect(sandbox.truth.webhook(all[0]?.['id'] as number)).toMatchObject({ successful: true });
    expect(all.at(-1)?.['id']).toBe(failed[9]?.['id']);
    expect(next[0]?.['id']).toBe(failed[13]?.['id']);
    const newest = [...sandbox.truth.webhooks()].slice(-6);
    expect(newest.some(({ successful }) => !successful)).toBe(true);
    expect(new Set(newest.map(({ id }) => id)).size).toBe(6);
  });

  test('has many webhooks in one second, whose order changes between pages', async () => {
    const { getList, sandbox } = await startTestSandbox({ faults: 'tie_seconds=3600,unstable_ties' });
    const times = [...sandbox.truth.webhooks()].map(({ created_at }) => created_at);
    expect(new Set(times).size).toBeLessThan(times.length / 2);
    const page = (): Promise<JsonObject[]> => getList('/webhooks.json?order=oldest_first&per_page=25&page=2');
    const [firstPage, secondPage, thirdPage] = [await page(), await page(), await page()];
    expect(firstPage).not.toEqual(secondPage);
    expect(firstPage).toEqual(thirdPage);
    const seen = new Set<unknown>();
    for (let n = 1; n <= Math.ceil(times.length / 200); n++) {
      for (const { id } of await getList(`/webhooks.json?order=newest_first&per_page=200&page=${n}`))
        seen.add(id);
    }
    expect(seen.size).toBeGreaterThan(times.length * 0.8);
    const failed = await getList('/webhooks.json?status=failed&per_page=200');
    expect(new Set(failed.map(({ id }) => id)).size).toBe(sandbox.truth.counts().failed_webhooks);
  });
});

describe('merchant endpoint', () => {
  test('is down during the given time range', async () => {
    const { sandbox } = await startTestSandbox({
      outage: false,
      faults: 'endpoint_down=2026-09-01T00:00:00Z..2026-09-03T00:00:00Z',
    });
    const failed = [...sandbox.truth.webhooks()].filter(({ successful }) => !successful);
    expect(failed.length).toBeGreaterThan(10);
    const times = failed.map(({ created_at }) => Date.parse(created_at as string));
    expect(Math.min(...times)).toBeGreaterThanOrEqual(Date.parse('2026-09-01T00:00:00Z'));
    expect(Math.max(...times)).toBeLessThan(Date.parse('2026-09-03T00:00:00Z'));
    expect(failed.every(({ last_error }) => last_error === '503 Service Unavailable (retry 5 of 5)')).toBe(
      true,
    );
  });

  test('rejects webhooks during an outage, and a share of the others if requested', async () => {
    const options: SandboxOptions = { settings: { queueDelay: 1, retryAfter: [] } };
    const down = await startTestSandbox({
      ...options,
      faults: 'endpoint_down=2026-11-01T00:00:00Z..2026-11-02T00:00:00Z',
    });
    const ids = [...down.sandbox.truth.webhooks()].slice(-20).map(({ id }) => id as number);
    await down.post('/webhooks/replay.json', { ids });
    await down.sandbox.idle();
    expect(down.sandbox.accepted.size).toBe(0);
    const unreliableSandbox = await startTestSandbox(options);
    unreliableSandbox.sandbox.setEndpoint({ failRate: 0.5 });
    await unreliableSandbox.post('/webhooks/replay.json', { ids });
    await unreliableSandbox.sandbox.idle();
    expect(unreliableSandbox.sandbox.accepted.size).toBeGreaterThan(3);
    expect(unreliableSandbox.sandbox.accepted.size).toBeLessThan(17);
  });
});

describe('control address', () => {
  test('sets faults, time and endpoint at run time, and returns the current state', async () => {
    const { get, post, sandbox } = await startTestSandbox();
    const control = (verb: string, body: unknown) => post(`/sandbox/${verb}`, body);
    expect((await control('faults', { spec: 'error_rate=1' })).json()).toEqual({ status: 'ok' });
    expect((await get('/webhooks.json')).status).toBeGreaterThanOrEqual(500);
    await control('faults', {});
    expect((await get('/webhooks.json')).status).toBe(200);
    expect((await control('advance', { days: 2 })).json()).toMatchObject({
      now: expect.stringMatching(/^2026-11-03T06:00/),
    });
    await control('endpoint', { down: true });
    const state = (await get('/sandbox/state')).json() as JsonObject;
    expect(state).toEqual({ ...sandbox.describe(), now: state['now'] });
    expect((await get('/sandbox/requests')).json()).toMatchObject({ total: 2, byKind: { webhooks: 2 } });
    await control('reset', {});
    expect(sandbox.requests.total).toBe(0);
    expect((await get('/sandbox/planted')).json()).toEqual([]);
  });

  test('requires the key and rejects invalid commands', async () => {
    const { get, post } = await startTestSandbox();
    expect((await get('/sandbox/state', { authorization: basicAuthorization('wrong') })).status).toBe(401);
    expect((await get('/sandbox/explode')).json()).toEqual({
      error: expect.stringContaining('There is no control verb explode'),
    });
    const refused = await post('/sandbox/faults', { spec: 'plant.gap=1' });
    expect([refused.status, refused.json()]).toEqual([
      422,
      { error: expect.stringContaining('only when the sandbox starts') },
    ]);
    expect((await post('/sandbox/faults', { error_rate: 7 })).status).toBe(422);
    expect((await post('/sandbox/advance', { days: -1 })).status).toBe(422);
    expect((await post('/sandbox/advance', '{', { 'content-type': 'application/json' })).status).toBe(422);
  });
});
