import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { isEmptySheet } from '../../src/main/empty-sheet.ts';
import { createTemporaryFolder } from '../host/test-host.ts';
import { findChromium } from '../tools.ts';
import type { FrameEvent } from './frame-events.ts';

/** A message of the DevTools protocol. `sessionId` names the frame's process. */
interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly sessionId?: string;
  readonly params?: Params;
  readonly result?: Params;
}
type Params = Readonly<Record<string, unknown>>;

/** Starts Chromium. Returns functions that receive events and send commands of the DevTools protocol. */
async function openDevTools() {
  const sandbox = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const options = [
    '--headless=new',
    '--remote-debugging-port=0',
    `--user-data-dir=${createTemporaryFolder()}`,
  ];
  const child = spawn(findChromium() ?? '', [...options, ...sandbox, 'about:blank'], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void child.kill());
  const address = await readAddress(createInterface(child.stderr));
  const socket = new WebSocket(address);
  await new Promise((resolve) => socket.addEventListener('open', resolve));
  const answers = new Map<number, (result: Params) => void>();
  const listeners = new Set<(message: Message) => void>();
  socket.addEventListener('message', ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.id === undefined) for (const listener of listeners) listener(message);
    else answers.get(message.id)?.(message.result ?? {});
  });
  let lastId = 0;
  return {
    listen: (listener: (message: Message) => void) => void listeners.add(listener),
    send(method: string, params: Params = {}, sessionId?: string): Promise<Params> {
      lastId += 1;
      socket.send(JSON.stringify({ id: lastId, method, params, ...(sessionId && { sessionId }) }));
      return new Promise((resolve) => answers.set(lastId, resolve));
    },
  };
}

async function readAddress(lines: AsyncIterable<string>): Promise<string> {
  for await (const line of lines) {
    const address = /DevTools listening on (ws:\S+)/.exec(line)?.[1];
    if (address !== undefined) return address;
  }
  throw new Error('Chromium ended before it printed its address.');
}

/** Time limit of a recording. Chosen for a busy machine. */
const TIMEOUT_MS = 60_000;

/**
 * Shows a page in Chromium and returns the events of its frames until `isEnd` returns true. Prints the page after each
 * event for which `isPrinted` returns true.
 */
export async function recordFrameEvents(
  url: string,
  isEnd: (event: FrameEvent) => boolean,
  isPrinted: (event: FrameEvent) => boolean = () => false,
): Promise<FrameEvent[]> {
  const { listen, send } = await openDevTools();
  const recorded: FrameEvent[] = [];
  const ended = Promise.withResolvers<void>();
  const depths = new Map<string, number>();
  // A frame in another process has its own session, which must be configured before its first event.
  const follow = (sessionId: string) =>
    Promise.all([
      send('Page.enable', {}, sessionId),
      send('Page.setLifecycleEventsEnabled', { enabled: true }, sessionId),
      send(
        'Target.setAutoAttach',
        { autoAttach: true, waitForDebuggerOnStart: true, flatten: true },
        sessionId,
      ),
      send('Runtime.runIfWaitingForDebugger', {}, sessionId),
    ]);
  const record = (event: FrameEvent) => {
    recorded.push(event);
    if (isPrinted(event)) void print();
    if (isEnd(event)) ended.resolve();
  };
  const print = async () => {
    const { data } = await send('Page.printToPDF', {}, sessionId as string);
    record({ event: 'printed', frame: 0, ...readSheet(Buffer.from(String(data), 'base64')) });
  };
  const { targetId } = await send('Target.createTarget', { url: 'about:blank' });
  const { sessionId } = await send('Target.attachToTarget', { targetId, flatten: true });
  depths.set(targetId as string, 0);
  await follow(sessionId as string);
  listen((message) => {
    if (message.method === 'Target.attachedToTarget') void follow(message.params?.['sessionId'] as string);
    const event = toFrameEvent(message, depths);
    if (event !== null) record(event);
  });
  await send('Page.navigate', { url }, sessionId as string);
  await Promise.race([ended.promise, delay(TIMEOUT_MS, undefined, { ref: false })]);
  return recorded;
}

/** Returns the contents of a printed sheet. Chromium prints a shown PDF as an image. */
function readSheet(printed: Buffer): Pick<FrameEvent, 'sheet'> {
  if (isEmptySheet(printed)) return { sheet: 'empty' };
  return printed.includes('/Subtype /Image') ? { sheet: 'pdf' } : {};
}

/** Returns the event of a frame; null for other messages. Records the depth of each new frame in `depths`. */
function toFrameEvent({ method, params = {} }: Message, depths: Map<string, number>): FrameEvent | null {
  const details = (params['frame'] ?? params) as { id?: string; frameId?: string; url?: string };
  const id = details.id ?? details.frameId ?? '';
  if (method === 'Page.frameAttached') {
    depths.set(id, (depths.get(params['parentFrameId'] as string) ?? 0) + 1);
    return { event: 'attached', frame: depths.get(id) ?? 0 };
  }
  const frame = depths.get(id);
  if (frame === undefined) return null;
  const url = String(details.url);
  if (method === 'Page.frameStartedNavigating') return { event: 'starts', frame, url };
  if (method === 'Page.frameNavigated') return { event: 'navigated', frame, url };
  if (method === 'Page.downloadWillBegin') return { event: 'downloads', frame, url };
  if (method === 'Page.lifecycleEvent' && params['name'] === 'load') return { event: 'loaded', frame };
  return null;
}
