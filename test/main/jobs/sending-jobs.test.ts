import { once } from 'node:events';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type AppHost, startHost } from '../../../src/host/index.ts';
import { handleAppEvents } from '../../../src/main/app-events.ts';
import { openWindow, showWindow } from '../../../src/main/app-windows.ts';
import { createOpenedFiles } from '../../../src/main/opening/opened-files.ts';
import { createStartProgress } from '../../../src/main/start-progress.ts';
import { type Sandbox, startSandbox } from '../../../src/sandbox/index.ts';
import { app, BrowserWindow, recorded, resetElectron } from '../../doubles/electron.ts';
import { createTemporaryHome } from '../../host/test-host.ts';

/** Runs a replay and an allocation draft on a real host and service, while the double takes the place of Electron. */
const SITE = 'acme';
const SEATS = 277221;
const folder = createTemporaryHome();
let sandbox: Sandbox;
let host: AppHost;

beforeAll(async () => {
  await app.whenReady();
  resetElectron();
  sandbox = await startSandbox({
    subscriptions: 12,
    months: 2,
    faults: { endpoint_down: ['2026-10-03T04:00:00Z', '2026-10-09T04:00:00Z'] },
  });
  host = await startHost({ home: folder.home, version: '1.2.3' });
  const site = { title: 'Acme', site: SITE, base_url: sandbox.url, api_key: sandbox.apiKey };
  await host.client.sites.add(site);
  await waitForJob((await host.client.sync.start({ site: SITE })).job);
});
afterAll(async () => {
  await host.close();
  await sandbox.close();
  folder.remove();
});

async function waitForJob(job: string): Promise<string> {
  let state = '';
  for await (const now of await host.client.jobs.watch({ site: SITE, job })) ({ state } = now);
  return state;
}

/** Starts a replay of all failed webhooks at one webhook per second. */
async function startSlowReplay(): Promise<string> {
  const plan = await host.client.replay.plan({ site: SITE, selection: { filter: { status: 'failed' } } });
  const { job } = await host.client.replay.run({ site: SITE, plan: plan.plan, rate: 1, batch_size: 1 });
  return job;
}

/** Sends three changes to a service that takes 0.8 seconds for each. */
async function startSlowDraft(): Promise<string> {
  const { allocations } = host.client;
  sandbox.setFaults('latency=800..800,only=allocate');
  const components = [...sandbox.truth.components()].filter(({ component_id }) => component_id === SEATS);
  const changes = components.slice(0, 3).map((component, at) => ({ ...component, quantity: 40 + at }));
  const { draft } = await allocations.draft({ site: SITE, from: { changes } });
  await waitForJob((await allocations.recheck({ site: SITE, draft })).id);
  const { sha256 } = await allocations.getDraft({ site: SITE, draft });
  return (await allocations.send({ site: SITE, draft, sha256 })).job ?? '';
}

test('quitting asks while a replay or a draft is sending, and then waits for the backend', async () => {
  const context = {
    home: folder.home,
    log: host.log,
    files: createOpenedFiles(),
    startProgress: createStartProgress(),
  };
  handleAppEvents(context, Promise.resolve(host));
  onTestFinished(() => void app.removeAllListeners());
  showWindow(context);
  openWindow(context);
  const [window, second] = BrowserWindow.getAllWindows();
  const draftJob = await startSlowDraft();
  const replayJob = await startSlowReplay();
  const isRunning = async (job: string) =>
    (await host.client.jobs.get({ site: SITE, job })).state === 'running';

  recorded.response = 1;
  // The taskbar shows the jobs, and the computer stays awake.
  await expect.poll(() => recorded.powerSaveBlockers).toBe(1);
  await expect.poll(() => window?.progress).toBeGreaterThanOrEqual(0);
  await expect
    .poll(async () => {
      app.quit();
      return recorded.messageBoxes.at(-1);
    })
    .toBe('2 jobs are sending to the billing service');
  expect(recorded.exit).toBeNull();
  expect(BrowserWindow.all.size).toBe(2);

  // Closing a window that is not the last one ends nothing.
  second?.close();
  expect(BrowserWindow.all.size).toBe(1);
  expect(await waitForJob(draftJob)).toBe('done');
  await expect
    .poll(() => {
      window?.close();
      return recorded.messageBoxes.at(-1);
    })
    .toBe('A job is sending to the billing service');
  expect(await isRunning(replayJob)).toBe(true);
  expect(BrowserWindow.all.size).toBe(1);
  expect(recorded.powerSaveBlockers).toBe(1);

  recorded.response = 0;
  const exited = once(app, 'exited');
  app.quit();
  await exited;
  expect(recorded.exit).toBe(0);
  const reopened = await startHost({ home: folder.home, version: '1.2.3' });
  onTestFinished(() => reopened.close());
  const [replay] = await reopened.client.replay.list({ site: SITE });
  expect(replay).toMatchObject({ job: replayJob, state: 'interrupted' });
});
