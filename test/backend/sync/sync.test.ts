import { afterEach, expect, test } from 'vitest';
import { differences } from '../truth.ts';
import { openWorkbench, type Workbench } from '../workbench.ts';

let bench: Workbench;
afterEach(() => bench.close());

test('a first sync brings everything the service has, and a second one changes nothing with three requests', async () => {
  bench = await openWorkbench({ subscriptions: 40, months: 4 });
  bench.sandbox.requests.reset();
  const first = await bench.sync();
  expect(first).toMatchObject({ state: 'done', error: null });
  console.log(first.summary, bench.sandbox.requests.byKind, bench.sandbox.truth.counts());
  expect(differences(bench.cache(), bench.sandbox.truth)).toEqual([]);

  bench.sandbox.requests.reset();
  const second = await bench.sync();
  console.log(
    second.summary,
    bench.sandbox.requests.byKind,
    bench.sandbox.requests.log.map((each) => each.url),
  );
  expect(second.state).toBe('done');
  expect(bench.sandbox.requests.total).toBeLessThanOrEqual(3);
});
