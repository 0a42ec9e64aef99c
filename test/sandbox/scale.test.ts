import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, test } from 'vitest';
import type { SandboxDescription } from '../../src/sandbox/index.ts';
import { getShortestTime, measureCpu } from '../bench/measure.ts';
import { basicAuthorization, type JsonObject } from './sandbox-client.ts';

describe('site with 1,000,000 webhooks and 100,000 subscriptions', () => {
  test('starts in seconds, returns any page in tens of milliseconds, and uses little memory', async () => {
    const worker = new Worker(new URL('../../src/sandbox/worker.ts', import.meta.url), {
      workerData: { webhooks: 1_000_000, subscriptions: 100_000 },
    });
    const startupMessage = once(worker, 'message') as Promise<[SandboxDescription]>;
    const startup = await measureCpu(() => startupMessage);
    const [site] = await startupMessage;
    expect(site.counts).toMatchObject({ webhooks: 1_000_000, subscriptions: 100_000 });
    expect(site.counts.statements).toBeGreaterThan(500_000);

    const headers = { authorization: basicAuthorization(site.api_key) };
    const fetchText = async (path: string): Promise<unknown> => {
      const response = await fetch(site.url + path, { headers });
      expect(response.status).toBe(200);
      return response.json();
    };
    const rows = (page: unknown): JsonObject[] =>
      (page as { webhook: JsonObject }[]).map(({ webhook }) => webhook);
    const seen = new Set<unknown>();
    let last = 0;
    for (const page of [1, 2, 777, 2500, 4999, 5000]) {
      for (const { id } of rows(
        await fetchText(`/webhooks.json?order=oldest_first&per_page=200&page=${page}`),
      )) {
        expect(id).toBeGreaterThan(last);
        last = id as number;
        seen.add(id);
      }
    }
    expect(seen.size).toBe(1200);
    expect(await fetchText('/webhooks.json?order=oldest_first&per_page=200&page=5001')).toEqual([]);
    for (const query of [
      'status=successful&page=4500',
      'status=failed&page=3',
      'since_date=2026-08-01&until_date=2026-08-31&page=300',
    ]) {
      expect(rows(await fetchText(`/webhooks.json?per_page=200&${query}`))).toHaveLength(200);
    }
    const ids = (await fetchText('/statements/ids.json?page=40')) as { statement_ids: number[] };
    expect(ids.statement_ids).toHaveLength(10_000);
    expect(await fetchText(`/statements/${ids.statement_ids[5000]}.json`)).toHaveProperty('statement.id');

    const measurePage = (page: number) =>
      measureCpu(() => fetchText(`/webhooks.json?order=oldest_first&per_page=200&page=${page}`));
    const [firstPageTimes, deepPageTimes]: [number[], number[]] = [[], []];
    for (let turn = 0; turn < 9; turn++) {
      firstPageTimes.push(await measurePage(1));
      deepPageTimes.push(await measurePage(5000));
    }
    const [firstPageMs, deepPageMs] = [getShortestTime(firstPageTimes), getShortestTime(deepPageTimes)];
    const memory = process.memoryUsage().rss / 1e6;
    worker.postMessage('close');
    await once(worker, 'exit');
    const measured = {
      startup_cpu_ms: startup,
      first_page_cpu_ms: firstPageMs,
      last_page_cpu_ms: deepPageMs,
      depth_ratio: deepPageMs / firstPageMs,
      rss_mb: memory,
    };
    process.stdout.write(
      `${JSON.stringify(measured, (_, value) => (typeof value === 'number' ? Math.round(value * 10) / 10 : value))}\n`,
    );
    expect(startup).toBeLessThan(20_000);
    expect(deepPageMs / firstPageMs).toBeLessThan(3);
    expect(memory).toBeLessThan(700);
  });
});
