import { expect, test } from 'vitest';
import { openElectron, recordMainCalls, startUnreachedServer } from './electron-test-app.ts';

/** Check 4 in the real Electron: the page cannot navigate away, open a window or embed a view. */
const CANCEL = 1;
const OPEN = 0;
const own = /^app:\/\/tieout\//;

/** Actions of a compromised page, with the URL of another page. */
const attempts: [way: string, attempt: (elsewhere: string) => void][] = [
  ['location', (elsewhere) => location.assign(`${elsewhere}/location`)],
  ['replacing it', (elsewhere) => location.replace(`${elsewhere}/replaced`)],
  ['a file', () => location.assign('file:///etc/passwd')],
  ['an origin that resembles ours', () => location.assign('app://tieout.evil/')],
  ['an empty page', () => location.assign('about:blank')],
  ['a page of text', () => location.assign('data:text/html,<title>Elsewhere</title>')],
  [
    'a page of its own making',
    () => {
      const made = new Blob(['<title>Elsewhere</title>'], { type: 'text/html' });
      location.assign(URL.createObjectURL(made));
    },
  ],
  [
    'a link',
    (elsewhere) => {
      const link = document.body.appendChild(document.createElement('a'));
      link.href = `${elsewhere}/link`;
      link.click();
    },
  ],
  [
    'a form',
    (elsewhere) => {
      const form = document.body.appendChild(document.createElement('form'));
      form.action = `${elsewhere}/form`;
      form.submit();
    },
  ],
  [
    'a refresh',
    (elsewhere) => {
      const refresh = document.createElement('meta');
      refresh.httpEquiv = 'refresh';
      refresh.content = `0;url=${elsewhere}/refresh`;
      document.head.append(refresh);
    },
  ],
  [
    'a frame',
    (elsewhere) => {
      document.body.appendChild(document.createElement('iframe')).src = `${elsewhere}/frame`;
    },
  ],
  [
    'a view',
    (elsewhere) => {
      const view = document.createElement('webview');
      view.setAttribute('src', `${elsewhere}/webview`);
      view.setAttribute('nodeintegration', '');
      document.body.append(view);
    },
  ],
  [
    'a picture and a request',
    (elsewhere) => {
      new Image().src = `${elsewhere}/picture`;
      void fetch(`${elsewhere}/fetch`).catch(() => undefined);
      navigator.sendBeacon(`${elsewhere}/beacon`);
    },
  ],
];

test('the page cannot be navigated away and sends no network request', async () => {
  const { app, page } = await openElectron();
  const heard = await recordMainCalls(app, CANCEL);
  const elsewhere = await startUnreachedServer();
  for (const [way, attempt] of attempts) {
    await page.evaluate(attempt, elsewhere.url);
    expect(page.url(), way).toMatch(own);
  }
  // Anything that was not blocked would be visible before this.
  await page.reload();
  await page.getByRole('navigation', { name: 'Main' }).waitFor();
  const { shown, refused, opened, asked } = await heard();
  expect(shown.length).toBeGreaterThan(0);
  for (const url of shown) expect(url).toMatch(own);
  expect(refused).toContain(`${elsewhere.url}/location`);
  expect(refused).toContain('app://tieout.evil/');
  expect(elsewhere.asked).toEqual([]);
  expect({ opened, asked }).toEqual({ opened: [], asked: [] });
  const contents = await app.evaluate(({ webContents }) =>
    webContents.getAllWebContents().map((each) => each.getType()),
  );
  expect(contents).toEqual(['window']);
});

test.each(['_self', '_top', '_blank'])(
  'a statement’s HTML is shown, and its links (%s) lead nowhere',
  async (target) => {
    const { app, page } = await openElectron();
    const heard = await recordMainCalls(app, CANCEL);
    const elsewhere = await startUnreachedServer();
    await page.evaluate(
      ([url, where]) => {
        const frame = document.createElement('iframe');
        frame.setAttribute('sandbox', '');
        frame.srcdoc = `<a target="${where}" href="${url}/out">Shown</a>`;
        document.body.append(frame);
      },
      [elsewhere.url, target],
    );
    await page.frameLocator('iframe[srcdoc*=Shown]').getByText('Shown').click({ force: true });
    await page.reload();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    expect(elsewhere.asked).toEqual([]);
    const { shown, opened } = await heard();
    for (const url of shown) expect(url).toMatch(own);
    expect(opened).toEqual([]);
  },
);

test('no window is opened, and only https links can be opened after the user agrees', async () => {
  const { app, page } = await openElectron();
  const overheardAgreement = await recordMainCalls(app, OPEN);
  const never = [
    'http://example.test/',
    'file:///etc/passwd',
    'smb://evil.test/share',
    'ms-msdt:/id PCWDiagnostic',
    'javascript:alert(1)',
    'https://user:word@evil.test/',
    'app://tieout/',
    'about:blank',
  ];
  for (const url of [...never, 'https://example.test/a b']) {
    expect(await page.evaluate((address) => window.open(address) === null, url), url).toBe(true);
  }
  // Messages arrive in order: after the last one, all have arrived.
  await expect.poll(async () => (await overheardAgreement()).opened).toEqual(['https://example.test/a%20b']);
  expect((await overheardAgreement()).asked).toEqual(['Open example.test in your browser?']);
  expect(await app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)).toBe(1);

  const overheardRefusal = await recordMainCalls(app, CANCEL);
  await page.evaluate(() => void window.open('https://example.test/'));
  await expect.poll(async () => (await overheardRefusal()).asked).toHaveLength(1);
  expect((await overheardRefusal()).opened).toEqual([]);
});
