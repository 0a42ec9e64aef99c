import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import type { Alert, AlertSettings } from '../../../src/contract/index.ts';
import { openWriterTestSite } from '../../backend/writer-test-site.ts';
import { run, runFailing, runJson, startCommand, temporaryFolder, waitForExit } from '../run-tieout.ts';

afterEach(() => vi.unstubAllEnvs());

/** Writes a program that stores its arguments and input. Returns the path of the stored file. */
function writeProgram(folder: string, name: string): string {
  mkdirSync(folder, { recursive: true });
  const [path, output] = [join(folder, name), join(folder, `${name}.out`)];
  writeFileSync(path, `#!/bin/sh\nprintf '[%s]' "$@" >> '${output}'\ncat >> '${output}'\n`);
  chmodSync(path, 0o755);
  return output;
}

async function openSite() {
  // The endpoint was down for the last days, until now.
  const bench = await openWriterTestSite({
    subscriptions: 60,
    months: 2,
    faults: 'endpoint_down=2026-10-20T00:00:00Z..2026-11-02T00:00:00Z',
  });
  onTestFinished(() => bench.close());
  return { bench, at: { home: bench.home, key: bench.sandbox.apiKey, keychain: false } };
}

test('channels are set, shown, tested and turned off', async () => {
  const { bench, at } = await openSite();
  const output = writeProgram(join(bench.home, 'hooks'), 'page-me');
  expect(await runFailing(['alerts', 'set'], at, 2)).toMatchObject({ code: 'validation' });
  expect(await runFailing(['alerts', 'test'], at, 2)).toMatchObject({ code: 'validation' });
  for (const wrong of [
    ['--quiet-hours', '22-7'],
    ['--quiet-hours', '07:00-07:00'],
    ['--command', '/bin/sh'],
    ['--address', 'http://alerts.merchant.test/'],
  ])
    await runFailing(['alerts', 'set', ...wrong], at, 2);
  const set = ['alerts', 'set', '--command', 'page-me', '--quiet-hours', '21:30-06:00', '--desktop', 'off'];
  expect(await runJson<AlertSettings>(set, at)).toMatchObject({
    desktop: false,
    command: 'page-me',
    quiet_hours: { from: '21:30', to: '06:00' },
    address_host: null,
  });
  const tested = await runJson<Alert>(['alerts', 'test'], at);
  expect(tested.deliveries).toMatchObject([{ channel: 'command', state: 'delivered' }]);
  expect(JSON.parse(readFileSync(output, 'utf8').replace('[]', ''))).toMatchObject({ kind: 'test' });
  await run(['alerts', 'set', '--command', 'none', '--quiet-hours', 'none'], at);
  const { stdout } = await run(['alerts', 'settings'], at);
  expect(stdout).toMatch(/command +none[\s\S]*quiet hours +none[\s\S]*page-me/);
  expect((await run(['alerts', 'list'], at)).stdout).toContain('Test alert');
});

test('tieout watch prints each alert once, and shows it on the desktop without a shell as soon as that works', async () => {
  const { bench, at } = await openSite();
  const tools = temporaryFolder();
  writeFileSync(join(tools, 'notify-send'), '#!/bin/sh\necho no daemon >&2\nexit 3\n', { mode: 0o755 });
  vi.stubEnv('PATH', `${tools}${delimiter}${process.env['PATH']}`);
  vi.stubEnv('DISPLAY', ':99');
  await bench.client.sites.update({ site: 'acme', title: 'A & B `touch pwned` $HOME' });
  await run(['alerts', 'set', '--desktop', 'on'], at);
  expect(await runFailing(['watch'], at, 2)).toMatchObject({ code: 'validation' });
  const watch = async () => {
    const child = startCommand(['watch', '--ndjson', '--every', '1'], at);
    const ended = waitForExit(child);
    child.stderr?.on('data', (text: Buffer) => {
      if (text.includes('Next sync')) child.kill('SIGINT');
    });
    const { code, stdout, stderr } = await ended;
    expect(code).toBe(130);
    const documents = stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Alert | { error: unknown });
    // The last document may say that the command was stopped.
    return { stderr, alerts: documents.filter((each) => !('error' in each)) };
  };
  const { alerts, stderr } = await watch();
  expect(alerts).toMatchObject([{ endpoint: expect.stringContaining('http'), reported: false }]);
  expect(['paused', 'disabled']).toContain((alerts[0] as Alert).kind);
  if (process.platform === 'linux') expect(stderr).toContain('The desktop notification could not be shown');
  const shown = writeProgram(tools, 'notify-send');
  const second = await watch();
  expect(second.alerts).toEqual([]);
  expect(second.stderr).toContain('No new alerts');
  if (process.platform === 'linux') {
    const arguments_ = readFileSync(shown, 'utf8');
    expect(arguments_).toContain('[--app-name=Tieout][--][A & B `touch pwned` $HOME: ');
    expect(arguments_.match(/--app-name/g)).toHaveLength(1);
    expect(existsSync('pwned')).toBe(false);
  }
});
