import { EventEmitter } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type * as real from 'electron';
import {
  DOWNLOAD_FRAME_EVENTS,
  type FrameEvent,
  PDF_FRAME_EVENTS,
  PDF_URL,
  PRINT_RESULTS,
} from './frame-events.ts';

/**
 * Test double for the parts of Electron that `src/main` and `src/preload` use, with the types of the real package. It
 * records calls. Tests emit events and call handlers in place of Chromium.
 */
interface RecordedCalls {
  readonly sandboxed: boolean[];
  readonly schemes: real.CustomScheme[];
  readonly paths: Record<string, string>;
  readonly errors: { title: string; content: string; beforeReady: boolean }[];
  readonly openedLinks: string[];
  /** Messages of message boxes. */
  readonly messageBoxes: string[];
  /** Details of message boxes. */
  readonly messageBoxDetails: string[];
  readonly saveDialogs: real.SaveDialogOptions[];
  /** Files opened with the system's programs. */
  readonly openedPaths: string[];
  readonly menus: real.MenuItemConstructorOptions[][];
  readonly popups: real.MenuItemConstructorOptions[][];
  readonly notifications: Notification[];
  /** Files added to the system's list of recent documents. */
  readonly recentDocuments: string[];
  /** Events in the order in which the app received them. */
  readonly events: string[];
  /** Number of power save blockers that are active. */
  powerSaveBlockers: number;
  /** Arguments of each requested start after the end of this instance. */
  readonly relaunches: (readonly string[])[];
  /** Programs that were registered for links. */
  readonly linkPrograms: { scheme: string; path: string; args: string[] }[];
  /** Identity for Windows; null until it is set. */
  appUserModelId: string | null;
  exit: number | null;
  /** Response of the next message box. */
  response: number;
  /** Path chosen in the next save dialog; empty if the user cancels. */
  chosenPath: string;
  /** True if another instance holds the lock. */
  locked: boolean;
}

const createRecord = (): RecordedCalls => ({
  sandboxed: [],
  schemes: [],
  paths: {},
  errors: [],
  openedLinks: [],
  messageBoxes: [],
  messageBoxDetails: [],
  saveDialogs: [],
  openedPaths: [],
  menus: [],
  popups: [],
  notifications: [],
  recentDocuments: [],
  events: [],
  powerSaveBlockers: 0,
  relaunches: [],
  linkPrograms: [],
  appUserModelId: null,
  exit: null,
  response: 0,
  chosenPath: '',
  locked: false,
});

export const recorded = createRecord();

/** Forgets recorded calls and windows. */
export function resetElectron(): void {
  Object.assign(recorded, createRecord());
  BrowserWindow.all.clear();
}

/** An event as passed to listeners. `prevented` is true if a listener prevented its default. */
export function createEvent<Params extends object>(params?: Params) {
  const result = {
    prevented: false,
    defaultPrevented: false,
    preventDefault() {
      result.prevented = true;
      result.defaultPrevented = true;
    },
    ...(params as Params),
  };
  return result;
}

/** Time from the first `whenReady` until Electron is ready. What needs a display works only afterwards. */
const READY_DELAY_MS = 20;

class App extends EventEmitter {
  readonly isPackaged = false;
  #isReady = false;
  #ready: Promise<void> | null = null;
  enableSandbox() {
    this.requireNotReady('app.enableSandbox');
    recorded.sandboxed.push(true);
  }
  setAppUserModelId(id: string) {
    recorded.appUserModelId = id;
  }
  setAsDefaultProtocolClient(scheme: string, path = process.execPath, args: string[] = []) {
    recorded.linkPrograms.push({ scheme, path, args });
    return true;
  }
  setPath(name: string, path: string) {
    recorded.paths[name] = path;
  }
  getPath(name: string) {
    return recorded.paths[name] ?? `/home/ada/${name}`;
  }
  getAppPath() {
    return process.argv[1] ?? '';
  }
  getVersion() {
    return '1.2.3';
  }
  requestSingleInstanceLock() {
    return !recorded.locked;
  }
  isReady() {
    return this.#isReady;
  }
  whenReady() {
    this.#ready ??= new Promise((resolve) => {
      setTimeout(() => {
        this.#isReady = true;
        resolve();
      }, READY_DELAY_MS);
    });
    return this.#ready;
  }
  relaunch({ args = process.argv.slice(1) }: real.RelaunchOptions = {}) {
    recorded.relaunches.push(args);
  }
  /** Linux has no list of recent documents. */
  addRecentDocument(path: string) {
    if (process.platform === 'linux') throw new TypeError('app.addRecentDocument is not a function');
    recorded.recentDocuments.push(path);
  }
  /** Behaves like Electron: each step may be prevented by a listener, and `window-all-closed` is not emitted. */
  quit() {
    if (!this.#emitPreventable('before-quit')) return;
    for (const window of BrowserWindow.getAllWindows()) if (!window.closeQuietly()) return;
    if (this.#emitPreventable('will-quit')) this.exit(0);
  }
  /** Emits an event. Returns false if a listener prevented its default. */
  #emitPreventable(name: string): boolean {
    recorded.events.push(name);
    const event = createEvent();
    this.emit(name, event);
    return !event.prevented;
  }
  exit(code = 0) {
    recorded.exit = code;
    recorded.events.push('exit');
    for (const window of BrowserWindow.getAllWindows()) window.destroy();
    this.emit('exited', code);
  }
  requireReady(name: string) {
    if (!this.#isReady) throw new Error(`${name} cannot be used before the app is ready`);
  }
  requireNotReady(name: string) {
    if (this.#isReady) throw new Error(`${name} must be called before the app is ready`);
  }
}

export const app = new App() satisfies EventEmitter &
  Pick<
    real.App,
    | 'addRecentDocument'
    | 'enableSandbox'
    | 'exit'
    | 'getVersion'
    | 'isReady'
    | 'relaunch'
    | 'setAppUserModelId'
    | 'isPackaged'
    | 'quit'
    | 'requestSingleInstanceLock'
    | 'setPath'
    | 'whenReady'
  >;

type Handler = (request: Request) => Response | Promise<Response>;
interface Frame {
  url: string;
  parent: Frame | null;
  framesInSubtree: Frame[];
}

function createFrame(url: string, parent: Frame | null): Frame {
  const frame: Frame = { url, parent, framesInSubtree: [] };
  for (let owner: Frame | null = frame; owner; owner = owner.parent) owner.framesInSubtree.push(frame);
  return frame;
}

class WebContents extends EventEmitter {
  static #last = 0;
  readonly id: number;
  mainFrame: Frame = createFrame('', null);
  openHandler: ((details: Pick<real.HandlerDetails, 'url'>) => { action: 'deny' | 'allow' }) | null = null;
  reloads = 0;
  crashes = 0;
  /** Set to false to simulate a PDF that the viewer cannot show. */
  showsPdf = true;
  constructor() {
    super();
    WebContents.#last += 1;
    this.id = WebContents.#last;
  }
  setWindowOpenHandler(handler: NonNullable<WebContents['openHandler']>) {
    this.openHandler = handler;
  }
  reload() {
    this.reloads += 1;
  }
  forcefullyCrashRenderer() {
    this.crashes += 1;
    this.emit('render-process-gone', {}, { reason: 'killed' });
  }
  /** Asks the listeners of `event` whether a frame may navigate. */
  #isNavigationAllowed(url: string, isMainFrame: boolean): boolean {
    const details = createEvent({ url, isMainFrame });
    this.emit('will-frame-navigate', details);
    return !details.prevented;
  }
  /** A navigation that the page starts. `about:blank` is shown without asking, as in Chromium. */
  navigate(url: string): void {
    if (url !== 'about:blank') {
      const details = createEvent({ url, isMainFrame: true });
      this.emit('will-navigate', details);
      if (details.prevented || !this.#isNavigationAllowed(url, true)) return;
    }
    this.mainFrame = createFrame(url, null);
    this.emit('did-navigate', createEvent(), url);
  }
  /** Loads a PDF by replaying the recorded events. Resolves when the page has loaded, before the PDF is shown. */
  async loadPdf(url: string): Promise<void> {
    const isPageLoaded = ({ event, frame }: FrameEvent) => event === 'loaded' && frame === 0;
    const pageEnd = PDF_FRAME_EVENTS.findIndex(isPageLoaded) + 1;
    const frames: Frame[] = [];
    const replay = (event: FrameEvent) => {
      const recordedUrl = event.url === PDF_URL ? url : event.url;
      return this.#replayFrameEvent({ ...event, ...(recordedUrl && { url: recordedUrl }) }, frames);
    };
    const isViewerAllowed = PDF_FRAME_EVENTS.slice(0, pageEnd).every(replay);
    if (!isViewerAllowed || !this.showsPdf) return;
    void delay(50).then(() => PDF_FRAME_EVENTS.slice(pageEnd).every(replay));
  }
  /** Emits what Electron emits for an event of a frame. Returns false if a listener prevented the navigation. */
  #replayFrameEvent({ event, frame: depth, url = '' }: FrameEvent, frames: Frame[]): boolean {
    const frame = frames[depth];
    // The app starts the navigation of the page itself, so nobody is asked.
    if (event === 'starts') return depth === 0 || this.#isNavigationAllowed(url, false);
    if (event === 'attached') frames[depth] = createFrame('', frames[depth - 1] ?? null);
    if (event === 'navigated' && depth === 0) {
      this.mainFrame = createFrame(url, null);
      frames[0] = this.mainFrame;
      this.emit('did-navigate', createEvent(), url);
    } else if (event === 'navigated' && frame) frame.url = url;
    if (event === 'loaded') this.#loadedFrames.add(depth);
    if (event === 'loaded') this.emit('did-frame-finish-load', createEvent(), depth === 0);
    if (event !== 'downloads') return true;
    const download = createEvent();
    session.defaultSession.emit('will-download', download);
    return !download.prevented;
  }
  /** The loaded page downloads a file, with the recorded events. Returns false if the app prevented it. */
  download(): boolean {
    const pageEnd = DOWNLOAD_FRAME_EVENTS.findIndex(({ event }) => event === 'loaded') + 1;
    return DOWNLOAD_FRAME_EVENTS.slice(pageEnd).every((event) => this.#replayFrameEvent(event, []));
  }
  /** Depths of the frames that have loaded. */
  readonly #loadedFrames = new Set<number>();
  /** Result of `print` if a PDF is shown. */
  printer: { done: boolean; reason: string } = { done: true, reason: '' };
  /** What was printed: `pdf`, or `empty sheet` if the PDF had not been loaded yet. */
  readonly printed: string[] = [];
  print(_options: object, answer: (done: boolean, reason: string) => void) {
    const result = PRINT_RESULTS.findLast(({ loadedFrame }) => this.#loadedFrames.has(loadedFrame));
    this.printed.push(result?.sheet === 'pdf' ? 'pdf' : 'empty sheet');
    answer(this.printer.done, this.printer.reason);
  }
}

export class BrowserWindow extends EventEmitter {
  static readonly all = new Set<BrowserWindow>();
  static focused: BrowserWindow | null = null;
  static getFocusedWindow() {
    return BrowserWindow.focused;
  }
  static getAllWindows() {
    return [...BrowserWindow.all];
  }
  readonly webContents = new WebContents();
  readonly calls: string[] = [];
  fullScreen = false;
  #visible = false;
  readonly options: real.BrowserWindowConstructorOptions;
  constructor(options: real.BrowserWindowConstructorOptions) {
    super();
    app.requireReady('BrowserWindow');
    this.options = options;
    BrowserWindow.all.add(this);
    app.emit('browser-window-created', createEvent(), this);
  }
  async loadURL(url: string) {
    this.calls.push(`load ${url}`);
    if (url.endsWith('.pdf')) return await this.webContents.loadPdf(url);
    this.webContents.mainFrame = createFrame(url, null);
    this.webContents.emit('did-navigate', createEvent(), url);
    this.emit('ready-to-show');
  }
  progress = -1;
  setProgressBar(progress: number) {
    this.progress = progress;
  }
  destroy() {
    this.calls.push('destroy');
    BrowserWindow.all.delete(this);
  }
  close() {
    if (this.closeQuietly() && BrowserWindow.all.size === 0) app.emit('window-all-closed');
  }
  /** Closes the window without `window-all-closed`. Returns false if a listener prevented it. */
  closeQuietly(): boolean {
    const event = createEvent();
    this.emit('close', event);
    if (event.prevented) return false;
    BrowserWindow.all.delete(this);
    this.emit('closed');
    return true;
  }
  getNormalBounds(): real.Rectangle {
    return { x: 10, y: 20, width: 1000, height: 700 };
  }
  isMaximized() {
    return false;
  }
  isMinimized() {
    return this.calls.at(-1) === 'minimize';
  }
  isDestroyed() {
    return !BrowserWindow.all.has(this);
  }
  minimize() {
    this.calls.push('minimize');
  }
  /** Shows a hidden window, as Electron does. */
  maximize() {
    this.calls.push('maximize');
    this.#visible = true;
  }
  isFullScreen() {
    return this.fullScreen;
  }
  /** Shows a hidden window, as Electron does. */
  setFullScreen(fullScreen: boolean) {
    this.calls.push('setFullScreen');
    this.fullScreen = fullScreen;
    this.#visible = true;
  }
  isVisible() {
    return this.#visible;
  }
  restore() {
    this.calls.push('restore');
  }
  focus() {
    this.calls.push('focus');
  }
  show() {
    this.calls.push('show');
    this.#visible = true;
  }
}

export const dialog = {
  showErrorBox(title: string, content: string) {
    recorded.errors.push({ title, content, beforeReady: !app.isReady() });
  },
  async showSaveDialog(_window: real.BaseWindow, options: real.SaveDialogOptions) {
    recorded.saveDialogs.push(options);
    return { canceled: recorded.chosenPath === '', filePath: recorded.chosenPath };
  },
  async showMessageBox(...given: [real.BaseWindow, real.MessageBoxOptions] | [real.MessageBoxOptions]) {
    const { message, detail } = given.at(-1) as real.MessageBoxOptions;
    recorded.messageBoxes.push(message);
    recorded.messageBoxDetails.push(detail ?? '');
    return { response: recorded.response, checkboxChecked: false };
  },
} satisfies Pick<real.Dialog, 'showErrorBox'> & { showMessageBox: unknown; showSaveDialog: unknown };

export const ipcMain = new EventEmitter();

interface MenuDouble {
  readonly template: real.MenuItemConstructorOptions[];
  popup(): void;
}
export const Menu = {
  buildFromTemplate: (template: real.MenuItemConstructorOptions[]): MenuDouble => ({
    template,
    popup: () => recorded.popups.push(template),
  }),
  setApplicationMenu(menu: MenuDouble | null) {
    recorded.menus.push(menu?.template ?? []);
  },
};

export class Notification extends EventEmitter {
  static isSupported() {
    return true;
  }
  readonly options: real.NotificationConstructorOptions;
  constructor(options: real.NotificationConstructorOptions) {
    super();
    this.options = options;
  }
  show() {
    recorded.notifications.push(this);
    this.emit('show');
  }
}

/** Node's `fetch` takes the place of Chromium's. Both accept the same options. */
export const net = {
  fetch: (url: string, init?: RequestInit) => fetch(url, init),
};

let clipboardText = 'text of the user';
export const clipboard = {
  readText: async () => clipboardText,
  async writeText(text: string) {
    clipboardText = text;
  },
};

export const powerMonitor = new EventEmitter();
export const powerSaveBlocker = {
  start() {
    recorded.powerSaveBlockers += 1;
    return 1;
  },
  stop() {
    recorded.powerSaveBlockers -= 1;
    return true;
  },
} satisfies Pick<real.PowerSaveBlocker, 'start' | 'stop'>;

export const nativeTheme: { shouldUseDarkColors: boolean; themeSource: 'system' | 'light' | 'dark' } = {
  shouldUseDarkColors: true,
  themeSource: 'system',
};

class Protocol {
  readonly handlers = new Map<string, Handler>();
  registerSchemesAsPrivileged(schemes: real.CustomScheme[]) {
    app.requireNotReady('protocol.registerSchemesAsPrivileged');
    recorded.schemes.push(...schemes);
  }
  handle(scheme: string, handler: Handler) {
    this.handlers.set(scheme, handler);
  }
}
export const protocol = new Protocol() satisfies Pick<
  real.Protocol,
  'handle' | 'registerSchemesAsPrivileged'
>;

export const screen = {
  getAllDisplays: () => [{ workArea: { x: 0, y: 0, width: 1920, height: 1080 } } as real.Display],
} satisfies Pick<real.Screen, 'getAllDisplays'>;

type HandlerOf<Name extends keyof real.Session> = Parameters<
  Extract<real.Session[Name], (handler: never) => unknown>
>[0];

export class Session extends EventEmitter {
  readonly protocol = new Protocol();
  request: HandlerOf<'setPermissionRequestHandler'> = null;
  check: HandlerOf<'setPermissionCheckHandler'> = null;
  device: HandlerOf<'setDevicePermissionHandler'> = null;
  beforeRequest:
    | ((details: { url: string }, answer: (response: real.CallbackResponse) => void) => void)
    | null = null;
  setPermissionRequestHandler(handler: Session['request']) {
    this.request = handler;
  }
  setPermissionCheckHandler(handler: Session['check']) {
    this.check = handler;
  }
  setDevicePermissionHandler(handler: Session['device']) {
    this.device = handler;
  }
  readonly webRequest = {
    onBeforeRequest: (...given: unknown[]) => {
      this.beforeRequest = given.at(-1) as Session['beforeRequest'];
    },
  };
}
const partitions = new Map<string, Session>();
export const session = {
  defaultSession: new Session(),
  fromPartition(name: string) {
    const existing = partitions.get(name) ?? new Session();
    partitions.set(name, existing);
    return existing;
  },
};

export const shell = {
  async openExternal(url: string) {
    recorded.openedLinks.push(url);
  },
  async openPath(path: string) {
    recorded.openedPaths.push(path);
    return '';
  },
} satisfies Pick<real.Shell, 'openExternal' | 'openPath'>;

/**
 * A message port of the main process over a real channel, by the rules of Electron: messages wait until `start`, what cannot
 * be cloned throws, a transferred port belongs to its receiver, and a closed port sends nothing.
 */
export class MessagePortMain extends EventEmitter {
  readonly #port: MessagePort;
  #started = false;
  #transferred = false;
  closed = false;
  constructor(port: MessagePort) {
    super();
    this.#port = port;
    port.on('close', () => {
      this.closed = true;
      this.emit('close');
    });
  }
  postMessage(message: unknown, transfer: readonly MessagePortMain[] = []) {
    if (transfer.includes(this)) throw new Error('Port at index 0 contains the source port.');
    const at = transfer.findIndex((port) => port.#transferred);
    if (at >= 0) throw new Error(`Port at index ${at} is already neutered.`);
    // A transferred port no longer reaches this end. Electron ignores its messages.
    if (this.#transferred) return;
    this.#port.postMessage(
      message,
      transfer.map((port) => port.#detach()),
    );
  }
  #detach(): MessagePort {
    this.#transferred = true;
    return this.#port;
  }
  start() {
    if (this.#started || this.#transferred) return;
    this.#started = true;
    this.#port.on('message', (data: unknown) => this.emit('message', { data, ports: [] }));
  }
  close() {
    if (!this.#transferred) this.#port.close();
  }
}

/** A port that `connect` transfers: one end for the main process, and the other for the page. */
export function createPagePort(): { main: MessagePortMain; page: MessagePort } {
  const { port1, port2 } = new MessageChannel();
  return { main: new MessagePortMain(port1), page: port2 };
}

/** An IPC event from a window's main frame, or from `frame`. */
export function createConnectEvent(
  window: BrowserWindow,
  ports: MessagePortMain[],
  frame?: Pick<Frame, 'url' | 'parent'> | null,
): real.IpcMainEvent {
  const senderFrame = frame === undefined ? window.webContents.mainFrame : frame;
  return { ...createEvent(), sender: window.webContents, senderFrame, ports } as unknown as real.IpcMainEvent;
}
