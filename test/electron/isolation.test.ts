import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { formatContentSecurityPolicy } from '../../src/host/index.ts';
import { openElectron } from './electron-test-app.ts';

/** Checks 1, 2, 6, 8 and 9 in the real Electron: what a compromised page can reach. */
test('the page has tieout.connect and nothing of Node or Electron', async () => {
  const { page } = await openElectron();
  const found = await page.evaluate(() => {
    const { tieout } = window;
    const powers = [
      'require',
      'process',
      'module',
      'Buffer',
      'global',
      '__dirname',
      'electron',
      'ipcRenderer',
    ];
    const connect = tieout?.connect;
    try {
      Object.assign(tieout ?? {}, { connect: () => 'taken over' });
    } catch {
      // Frozen, as it must be.
    }
    return {
      keys: Object.keys(tieout ?? {}),
      kept: tieout?.connect === connect,
      // Functions of the other world appear native, so their source text is not visible.
      text: String(connect),
      powers: powers.filter((name) => name in window),
      gives: typeof connect?.(),
    };
  });
  expect(found).toEqual({
    keys: ['connect'],
    kept: true,
    text: expect.stringContaining('[native code]') as string,
    powers: [],
    gives: 'undefined',
  });
});

test('the page’s process runs in the system’s sandbox', async () => {
  const { app } = await openElectron();
  const found = await app.evaluate(({ app: electron, BrowserWindow }) => {
    const [window] = BrowserWindow.getAllWindows();
    const pid = window?.webContents.getOSProcessId() ?? 0;
    const metric = electron.getAppMetrics().find((each) => each.pid === pid);
    return { pid, sandboxed: metric?.sandboxed ?? null };
  });
  if (process.platform === 'linux') {
    // Check 2: the kernel filters the process's system calls.
    expect(readFileSync(`/proc/${found.pid}/status`, 'utf8')).toMatch(/^Seccomp:\s+2$/m);
  } else {
    expect(found.sandboxed).toBe(true);
  }
});

test('the page’s only permission is writing to the clipboard', async () => {
  const { page } = await openElectron();
  const states = await page.evaluate(async () => {
    const names = [
      'camera',
      'microphone',
      'geolocation',
      'notifications',
      'midi',
      'clipboard-read',
      'persistent-storage',
      'window-management',
    ];
    const asked = names.map(async (name) => {
      const { state } = await navigator.permissions.query({ name: name as PermissionName });
      return state === 'granted' ? [name] : [];
    });
    return (await Promise.all(asked)).flat();
  });
  expect(states).toEqual([]);
  const answers = await page.evaluate(async () => {
    const refused = (work: Promise<unknown>) =>
      work.then(
        () => 'given',
        (error: DOMException) => error.name,
      );
    return {
      notification: await Notification.requestPermission(),
      camera: await refused(navigator.mediaDevices.getUserMedia({ video: true, audio: true })),
      place: await new Promise((resolve) => {
        navigator.geolocation.getCurrentPosition(
          () => resolve('given'),
          ({ code }) => resolve(code),
        );
      }),
      read: await refused(navigator.clipboard.readText()),
      copy: (await navigator.permissions.query({ name: 'clipboard-write' as PermissionName })).state,
    };
  });
  expect(answers).toMatchObject({ notification: 'denied', place: 1, copy: 'granted' });
  for (const name of [answers.camera, answers.read]) expect(name).toMatch(/NotAllowedError|NotFoundError/);
});

test('app://tieout serves the window with its policy and no other file', async () => {
  const { page } = await openElectron();
  const found = await page.evaluate(async () => {
    const status = (url: string) =>
      fetch(url).then(
        (answer) => answer.status,
        () => 'refused',
      );
    const broken: string[] = [];
    addEventListener('securitypolicyviolation', ({ effectiveDirective }) => broken.push(effectiveDirective));
    const report = new Promise((resolve) =>
      addEventListener('securitypolicyviolation', resolve, { once: true }),
    );
    const script = document.createElement('script');
    script.textContent = 'window.takenOver = true';
    document.head.append(script);
    await report;
    return {
      policy: (await fetch('/')).headers.get('content-security-policy'),
      above: await status('/%2e%2e/package.json'),
      file: await status('file:///etc/passwd'),
      other: await status('app://elsewhere/'),
      ran: 'takenOver' in window,
      broken,
    };
  });
  expect(found).toMatchObject({
    policy: formatContentSecurityPolicy(),
    above: 404,
    file: 'refused',
    ran: false,
  });
  expect([404, 'refused']).toContain(found.other);
  expect(found.broken[0]).toBe('script-src-elem');
});
