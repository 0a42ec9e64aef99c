/**
 * Runs the built main process with a test double of Electron: starts it, connects a page, calls the backend and quits.
 * Prints the results as one line of JSON. Further arguments are those of the app. `--early-file=PATH` simulates a file that
 * macOS passes before the app is ready.
 */
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { createORPCClient } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import { appRoot } from '../../src/cli/runtime/app-paths.ts';
import { createBackendClient, type WindowEvent, type WindowShellClient } from '../../src/contract/index.ts';
import { createPortLink } from '../../src/host/port-link.ts';
import {
  app,
  BrowserWindow,
  createConnectEvent,
  createEvent,
  createPagePort,
  ipcMain,
  recorded,
  session,
} from '../doubles/electron.ts';

const [mainScript = '', ...appArguments] = process.argv.slice(2);
// Electron passes the folder of the app instead of the script.
process.argv = [process.execPath, appRoot, ...appArguments];
const environmentKey = process.env['TIEOUT_API_KEY'];
let startedBeforeWindow: boolean | null = null;
app.once('browser-window-created', () => {
  const log = join(recorded.paths['userData'] ?? '', '..', 'logs', 'tieout.log');
  startedBeforeWindow = existsSync(log) && readFileSync(log, 'utf8').includes('Started.');
});
await import(pathToFileURL(mainScript).href);
const earlyFile = appArguments.find((argument) => argument.startsWith('--early-file='))?.split('=')[1];
if (earlyFile) app.emit('open-file', createEvent(), earlyFile);

while (BrowserWindow.all.size === 0 && recorded.exit === null)
  await new Promise((resolve) => setTimeout(resolve, 20));
const result: Record<string, unknown> = {
  recorded,
  startedBeforeWindow,
  environmentKey,
  keyAfterStart: process.env['TIEOUT_API_KEY'] ?? null,
};

const [window] = BrowserWindow.getAllWindows();
if (window) {
  const [reader, writer, windowPort] = [createPagePort(), createPagePort(), createPagePort()];
  ipcMain.emit('connect', createConnectEvent(window, [reader.main, writer.main, windowPort.main]));
  const [toReader, toWriter] = [createPortLink(reader.page), createPortLink(writer.page)];
  const client = createBackendClient({ reader: toReader.link, writer: toWriter.link });
  const fetchResponse = async (url: string) => {
    const answer = await session.defaultSession.protocol.handlers.get(url.split(':')[0] ?? '')?.(
      new Request(url),
    );
    return { status: answer?.status, type: answer?.headers.get('content-type'), text: await answer?.text() };
  };
  const shell: WindowShellClient = createORPCClient(new RPCLink({ port: windowPort.page }));
  const events = await shell.watch({});
  /** Returns the next event of the window, with the contents of an opened bank file. */
  const readEvent = async () => {
    const event = (await events.next()).value as WindowEvent;
    if (event.kind !== 'bankFile') return event;
    const { file } = await shell.takeFile({ id: event.id });
    return { kind: event.kind, name: event.name, text: await file.text() };
  };
  const { webPreferences, show } = window.options;
  Object.assign(result, {
    about: await client.app.about({}),
    sites: await client.sites.list({}),
    settings: await client.settings.set({ key: 'theme', value: 'dark' }),
    windowUrl: window.webContents.mainFrame.url,
    windowCalls: window.calls,
    options: { webPreferences, show },
    page: await fetchResponse('app://tieout/'),
    file: await fetchResponse('file:///etc/passwd'),
    guarded: [session.defaultSession.request, session.defaultSession.check].every(
      (handler) => handler !== null,
    ),
  });

  const countFiles = appArguments.filter((argument) => /^[^-]|^--early-file/.test(argument)).length;
  const opened: unknown[] = [];
  while (opened.length < countFiles) opened.push(await readEvent());
  result['opened'] = opened;

  if (process.argv.includes('--crash-after-connect')) process.kill(process.pid, 'SIGSEGV');
  const foreignPort = createPagePort();
  ipcMain.emit(
    'connect',
    createConnectEvent(window, [foreignPort.main, createPagePort().main, createPagePort().main], {
      url: 'https://evil.test/',
      parent: null,
    }),
  );
  await once(foreignPort.page, 'close');

  app.emit('second-instance', {}, ['tieout']);
  result['windowsAfterSecondStart'] = BrowserWindow.all.size;
  const exited = once(app, 'exited');
  app.quit();
  // A second start while the app is ending. Electron starts it again after the end.
  app.emit('second-instance', {}, ['tieout']);
  result['windowsWhileEnding'] = BrowserWindow.all.size;
  await exited;
  result['exit'] = recorded.exit;
  for (const { closed } of [toReader, toWriter]) if (!closed.aborted) await once(closed, 'abort');
  result['linksEnded'] = true;
}
// Electron ends the process. The launcher reads the exit code; the other tests read the output.
process.stdout.write(`${JSON.stringify(result)}\n`, () =>
  process.exit(process.send ? (recorded.exit ?? 0) : 0),
);
