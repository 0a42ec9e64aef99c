import { EventEmitter } from 'node:events';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import type * as real from 'electron';

/**
 * Test double for the parts of Electron that `src/main` and `src/preload` use, with the types of the real package. It
 * records calls. Tests emit events and call handlers in place of Chromium.
 */
interface RecordedCalls {
  readonly sandboxed: boolean[];
  readonly schemes: real.CustomScheme[];
  readonly paths: Record<string, string>;
  readonly errors: { title: string; content: string }[];
  readonly openedLinks: string[];
  /** Messages of message boxes. */
  readonly messageBoxes: string[];
  /** Details of message boxes. */
  readonly messageBoxDetails: string[];
  /** Files opened with the system's programs. */
  readonly openedPaths: string[];
  readonly menus: (real.Menu | null)[];
  exit: number | null;
  /** Response of the next message box. */
  response: number;
  /** True if another instance holds the lock. */
  locked: boolean;
}

export const recorded: RecordedCalls = {
  sandboxed: [],
  schemes: [],
  paths: {},
  errors: [],
  openedLinks: [],
  messageBoxes: [],
  messageBoxDetails: [],
  openedPaths: [],
  menus: [],
  exit: null,
  response: 0,
  locked: false,
};

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

class App extends EventEmitter {
  readonly isPackaged = false;
  enableSandbox() {
    recorded.sandboxed.push(true);
  }
  setPath(name: string, path: string) {
    recorded.paths[name] = path;
  }
  getVersion() {
    return '1.2.3';
  }
  requestSingleInstanceLock() {
    return !recorded.locked;
  }
  whenReady() {
    return Promise.resolve();
  }
  /** Behaves like Electron: closes the windows, emits `will-quit` and ends the process unless that is prevented. */
  quit() {
    for (const window of BrowserWindow.getAllWindows()) window.close();
    const quitEvent = createEvent();
    this.emit('will-quit', quitEvent);
    if (!quitEvent.prevented) this.exit(0);
  }
  exit(code = 0) {
    recorded.exit = code;
    this.emit('exited', code);
  }
}

export const app = new App() satisfies EventEmitter &
  Pick<
    real.App,
    | 'enableSandbox'
    | 'exit'
    | 'getVersion'
    | 'isPackaged'
    | 'quit'
    | 'requestSingleInstanceLock'
    | 'setPath'
    | 'whenReady'
  >;

type Handler = (request: Request) => Response | Promise<Response>;
type Frame = Pick<real.WebFrameMain, 'url' | 'parent'>;

class WebContents extends EventEmitter {
  static #last = 0;
  readonly id: number;
  readonly mainFrame: Frame = { url: '', parent: null };
  openHandler: ((details: Pick<real.HandlerDetails, 'url'>) => { action: 'deny' | 'allow' }) | null = null;
  reloads = 0;
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
  /** Result of `print`. */
  printer: { done: boolean; reason: string } = { done: true, reason: '' };
  print(_options: object, answer: (done: boolean, reason: string) => void) {
    answer(this.printer.done, this.printer.reason);
  }
}

export class BrowserWindow extends EventEmitter {
  static readonly all = new Set<BrowserWindow>();
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
    this.options = options;
    BrowserWindow.all.add(this);
  }
  async loadURL(url: string) {
    Object.assign(this.webContents.mainFrame, { url });
    this.emit('ready-to-show');
  }
  async loadFile(path: string) {
    this.calls.push(`load ${path}`);
  }
  destroy() {
    this.calls.push('destroy');
    BrowserWindow.all.delete(this);
  }
  close() {
    this.emit('close', createEvent());
    BrowserWindow.all.delete(this);
    this.emit('closed');
    if (BrowserWindow.all.size === 0) app.emit('window-all-closed');
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
    recorded.errors.push({ title, content });
  },
  async showMessageBox(_window: real.BaseWindow, { message, detail }: real.MessageBoxOptions) {
    recorded.messageBoxes.push(message);
    recorded.messageBoxDetails.push(detail ?? '');
    return { response: recorded.response, checkboxChecked: false };
  },
} satisfies Pick<real.Dialog, 'showErrorBox'> & { showMessageBox: unknown };

export const ipcMain = new EventEmitter();

export const Menu = {
  buildFromTemplate: (template: real.MenuItemConstructorOptions[]) => ({ template }) as unknown as real.Menu,
  setApplicationMenu(menu: real.Menu | null) {
    recorded.menus.push(menu);
  },
} satisfies Pick<typeof real.Menu, 'buildFromTemplate' | 'setApplicationMenu'>;

export const nativeTheme = { shouldUseDarkColors: true } satisfies Pick<
  real.NativeTheme,
  'shouldUseDarkColors'
>;

class Protocol {
  readonly handlers = new Map<string, Handler>();
  registerSchemesAsPrivileged(schemes: real.CustomScheme[]) {
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

export class Session {
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

/** A message port of the main process over a real channel. */
export class MessagePortMain extends EventEmitter {
  readonly #port: MessagePort;
  closed = false;
  constructor(port: MessagePort) {
    super();
    this.#port = port;
    port.on('close', () => {
      this.closed = true;
      this.emit('close');
    });
  }
  postMessage(message: unknown) {
    this.#port.postMessage(message);
  }
  start() {
    this.#port.on('message', (data: unknown) => this.emit('message', { data, ports: [] }));
  }
  close() {
    this.#port.close();
  }
}

/** The ports that `connect` transfers: one for the main process, and its other end for the page. */
export function createPagePort(): { main: MessagePortMain; page: MessagePort } {
  const { port1, port2 } = new MessageChannel();
  return { main: new MessagePortMain(port1), page: port2 };
}

/** An IPC event from a window's main frame, or from `frame`. */
export function createConnectEvent(
  window: BrowserWindow,
  ports: MessagePortMain[],
  frame?: Frame | null,
): real.IpcMainEvent {
  const senderFrame = frame === undefined ? window.webContents.mainFrame : frame;
  return { ...createEvent(), sender: window.webContents, senderFrame, ports } as unknown as real.IpcMainEvent;
}
