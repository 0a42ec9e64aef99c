import { expect, onTestFinished, test } from 'vitest';
import {
  runFailing,
  runJson,
  startCommand,
  temporaryFolder,
  waitForExit,
  waitForOutput,
} from '../run-tieout.ts';

test('tieout demo --no-open serves the app on the demo site until Ctrl-C', async () => {
  const at = { home: temporaryFolder(), keychain: false };
  const child = startCommand(['demo', '--no-open', '--json'], at);
  onTestFinished(() => void child.kill('SIGKILL'));
  const { url, port } = JSON.parse(await waitForOutput(child.stdout!, /\}\n/)) as {
    url: string;
    port: number;
  };
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#t=[\w-]{20,}$/);
  const page = await fetch(url);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('<div id="');

  const other = { home: temporaryFolder(), keychain: false };
  expect(await runFailing(['serve', '--no-open', '--port', String(port)], other, 2)).toMatchObject({
    code: 'validation',
    message: `Port ${port} is already in use.`,
  });

  child.kill('SIGINT');
  expect(await waitForExit(child)).toMatchObject({ code: 0 });
  expect(await runJson(['site', 'list'], at)).toMatchObject({ rows: [{ site: 'demo', demo: true }] });
});
