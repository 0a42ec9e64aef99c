import { create } from 'zustand';
import type {
  AllocationEntry,
  ArchiveHold,
  BankLine,
  BankLineFilter,
  CheckRule,
  ExceptionFilter,
  GroupFilter,
  Inputs,
  MatchGroupDetail,
  MatchRun,
  OpenItem,
  Payment,
  ReplayPlan,
  StatementFilter,
  WebhookFilter,
} from '../../contract/index.ts';
import { formatRoute, parseRoute, type Route, type ScreenName } from './route.ts';

/** Filter of each screen that has one. */
export interface ScreenFilters {
  readonly exceptions: ExceptionFilter;
  readonly webhooks: WebhookFilter;
  readonly statements: StatementFilter;
  readonly subscriptions: { readonly search?: string | undefined };
  readonly bank: BankLineFilter;
  readonly matching: GroupFilter;
  readonly allocations: {
    readonly search?: string | undefined;
    readonly state?: 'complete' | 'waiting' | 'missing' | 'problem' | undefined;
    readonly subscription_id?: number | undefined;
  };
}
export type FilteredScreen = keyof ScreenFilters;

/** The open dialog, with its parameters. */
export type DialogState =
  | { readonly kind: 'connect' }
  | { readonly kind: 'editSite'; readonly site: string }
  | { readonly kind: 'replaceKey'; readonly site: string }
  | { readonly kind: 'removeSite'; readonly site: string }
  | { readonly kind: 'replay'; readonly selection: ReplaySelection }
  | { readonly kind: 'replayIds' }
  | { readonly kind: 'cancelReplay'; readonly job: string }
  | { readonly kind: 'track' }
  | { readonly kind: 'changeQuantity'; readonly subscription_id: number; readonly component_id: number }
  | { readonly kind: 'importChanges' }
  | { readonly kind: 'sendDraft'; readonly draft: string }
  | { readonly kind: 'change'; readonly draft: string; readonly ordinal: number }
  | { readonly kind: 'allocation'; readonly allocation: AllocationEntry }
  | {
      readonly kind: 'exceptions';
      readonly act: ExceptionAction;
      readonly ids: readonly number[];
      readonly stake: string | null;
      onDone(): void;
    }
  | { readonly kind: 'switchRule'; readonly rule: CheckRule }
  | { readonly kind: 'importFile' }
  | { readonly kind: 'removeImport'; readonly id: number; readonly lines: number }
  | { readonly kind: 'writeOff'; readonly lines: readonly number[]; readonly transactions: readonly number[] }
  | ({ readonly kind: 'split' } & SplitSource)
  | { readonly kind: 'undoRun'; readonly run: MatchRun }
  | {
      readonly kind: 'restoreBooks';
      readonly from: Inputs['backups']['restore']['from'];
      readonly fingerprint: string;
      readonly when: string;
    }
  | { readonly kind: 'restorePack' }
  | { readonly kind: 'periodMove'; readonly period: string; readonly move: SignOffStep }
  | { readonly kind: 'explainItems'; readonly period: string; readonly items: readonly OpenItem[] }
  | { readonly kind: 'workpaperSettings' }
  | { readonly kind: 'export'; readonly selection: ExportSelection | null }
  | { readonly kind: 'resumeExport'; readonly export: string }
  | { readonly kind: 'verifyExport'; readonly path: string }
  | { readonly kind: 'changeRetention' }
  | { readonly kind: 'hold'; readonly statements: readonly number[] }
  | { readonly kind: 'release'; readonly hold: ArchiveHold }
  | { readonly kind: 'deletePdfs' }
  | { readonly kind: 'saveView'; readonly screen: FilteredScreen }
  | { readonly kind: 'palette' }
  | { readonly kind: 'keys' };

/** Source of a manual split: an existing match, or the bank lines and payments selected by the user. */
export type SplitSource =
  | { readonly group: MatchGroupDetail }
  | {
      readonly group: null;
      readonly lines: readonly BankLine[];
      readonly payments: readonly Payment[];
      onDone(): void;
    };

/** Step of a period’s sign-off. */
export type SignOffStep = 'submit' | 'approve' | 'reject' | 'close' | 'reopen';

/** Action on exceptions that takes a comment. */
export type ExceptionAction = 'accept' | 'reopen' | 'assign' | 'comment';

/** Webhooks to replay: by filter, by id, or from an existing plan. */
export type ReplaySelection =
  | { readonly filter: WebhookFilter }
  | { readonly ids: number[] }
  | { readonly plan: ReplayPlan };

/** Statements to export: all that match a filter, or the selected ones. */
export type ExportSelection = { readonly filter: StatementFilter } | { readonly ids: number[] };

export interface Notice {
  readonly id: number;
  readonly tone: 'good' | 'bad' | 'plain';
  readonly text: string;
  /** Undoes the action that the notice reports. */
  readonly undo?: UndoAction;
}

/** Undoes an action and shows a notice. Throws errors of the backend. */
export type UndoAction = () => Promise<void>;

/** State of the window itself while it is open. Records are in the query cache instead. */
export interface WindowState {
  readonly route: Route;
  readonly filters: ScreenFilters;
  readonly dialog: DialogState | null;
  /** True if the detail fills the window. */
  readonly expanded: boolean;
  /** Selected tab, by the name of the tab group. */
  readonly tabs: Readonly<Record<string, string>>;
  readonly notices: readonly Notice[];
  /** Undoes the latest action; null if that is not possible. */
  readonly undo: UndoAction | null;
  /** Latest announcement to screen readers. */
  readonly announcement: string;
}

/** Default filters: exceptions and matches show only what still needs a decision. */
const defaultFilters: ScreenFilters = {
  exceptions: { status: ['open'] },
  webhooks: {},
  statements: {},
  subscriptions: {},
  bank: {},
  matching: { status: ['suggested', 'ambiguous'] },
  allocations: {},
};

/** Screens that have a filter. */
export const filteredScreens = Object.keys(defaultFilters) as readonly FilteredScreen[];

export const useWindowState = create<WindowState>(() => ({
  route: parseRoute(''),
  filters: defaultFilters,
  dialog: null,
  expanded: false,
  tabs: {},
  notices: [],
  undo: null,
  announcement: '',
}));

const setState = useWindowState.setState;

/** Changes the route. With `replace`, the browser history gets no new entry. */
export function navigate(to: Partial<Route>, replace = false): void {
  const current = useWindowState.getState().route;
  const isOtherScreen = to.screen !== undefined && to.screen !== current.screen;
  const route = { ...current, ...(isOtherScreen ? { item: null } : {}), ...to };
  if (formatRoute(route) === location.hash && route.site === current.site) return;
  if (replace) history.replaceState(null, '', formatRoute(route));
  else history.pushState(null, '', formatRoute(route));
  applyRoute(route);
}

/** Applies the route of the address now and whenever the user goes back or forward. Returns a function that stops this. */
export function followBrowserHistory(): () => void {
  const applyAddress = () => applyRoute(parseRoute(location.hash));
  applyAddress();
  window.addEventListener('popstate', applyAddress);
  return () => window.removeEventListener('popstate', applyAddress);
}

function applyRoute(route: Route): void {
  const previous = useWindowState.getState().route;
  const isOtherSite = previous.site !== null && previous.site !== route.site;
  setState({
    route,
    ...(isOtherSite ? { filters: defaultFilters } : {}),
    ...(route.item === null || previous.screen !== route.screen ? { expanded: false } : {}),
  });
}

/** Sets the filter of a screen. Undefined fields are removed, so that equal filters compare as equal. */
export function setFilter<S extends FilteredScreen>(screen: S, filter: ScreenFilters[S]): void {
  setState((view) => ({ filters: { ...view.filters, [screen]: withoutUndefined(filter) } }));
}

/** Opens a screen with exactly this filter. */
export function openFilteredScreen<S extends FilteredScreen>(screen: S, filter: ScreenFilters[S]): void {
  setFilter(screen, filter);
  navigate({ screen: screen satisfies ScreenName, item: null });
}

function withoutUndefined<T extends object>(filter: T): T {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as T;
}

/** Opens a dialog. Notices of success are removed because they would cover its buttons; failures and notices with undo stay. */
export function openDialog(dialog: DialogState): void {
  setState(({ notices }) => ({
    dialog,
    notices: notices.filter(({ tone, undo }) => tone === 'bad' || undo !== undefined),
  }));
}

/** Closes the open dialog without performing its action. */
export function closeDialog(): void {
  setState({ dialog: null });
}

/** Expands the detail to the full width, or restores its width. */
export function setExpanded(expanded: boolean): void {
  setState({ expanded });
}

/** Selects a tab of a tab group. The selection stays while the window is open. */
export function selectTab(group: string, tab: string): void {
  setState(({ tabs }) => ({ tabs: { ...tabs, [group]: tab } }));
}

let noticeCount = 0;

/** Shows a notice that an action succeeded, or that it failed if the error is not shown elsewhere. */
export function showNotice(text: string, tone: Notice['tone'] = 'plain', undo?: UndoAction): void {
  noticeCount += 1;
  const notice = { id: noticeCount, tone, text, ...(undo && { undo }) };
  if (undo) setState({ undo });
  setState((view) => ({ notices: [...view.notices.slice(-2), notice] }));
  announce(text);
}

export function dismissNotice(id: number): void {
  setState((view) => ({ notices: view.notices.filter((notice) => notice.id !== id) }));
}

/** Undoes the latest action once. Does nothing if there is no such action. */
export async function undoLast(undo = useWindowState.getState().undo): Promise<void> {
  if (undo === null) return;
  setState((view) => ({
    undo: view.undo === undo ? null : view.undo,
    notices: view.notices.filter((notice) => notice.undo !== undo),
  }));
  await undo();
}

/** Announces a text to screen readers without interrupting them. */
export function announce(text: string): void {
  setState({ announcement: text });
}
