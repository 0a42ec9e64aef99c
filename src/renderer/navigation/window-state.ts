import { create } from 'zustand';
import type {
  AllocationDetail,
  ArchiveHold,
  BankLine,
  BankLineFilter,
  CheckRule,
  ContractInputs,
  ExceptionFilter,
  MatchGroupDetail,
  MatchGroupFilter,
  MatchRun,
  OutstandingItem,
  Payment,
  ReplayPlan,
  StatementFilter,
  WebhookFilter,
} from '../../contract/index.ts';
import { formatRoute, parseRoute, type Route, type ScreenName } from './route.ts';

/** Current filter of each screen that has one. */
export interface ScreenFilters {
  readonly exceptions: ExceptionFilter;
  readonly webhooks: WebhookFilter;
  readonly statements: StatementFilter;
  readonly subscriptions: { readonly search?: string | undefined };
  readonly bank: BankLineFilter;
  readonly matching: MatchGroupFilter;
  readonly allocations: {
    readonly search?: string | undefined;
    readonly state?: 'complete' | 'waiting' | 'missing' | 'problem' | undefined;
    readonly subscription_id?: number | undefined;
  };
}
export type FilterableScreen = keyof ScreenFilters;

/** Open dialog and its parameters. */
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
  | { readonly kind: 'allocation'; readonly allocation: AllocationDetail }
  | {
      readonly kind: 'exceptions';
      readonly act: ExceptionAction;
      readonly ids: readonly number[];
      readonly stake: string | null;
      onDone(): void;
    }
  | { readonly kind: 'switchRule'; readonly rule: CheckRule }
  | { readonly kind: 'importFile'; readonly file?: File }
  | { readonly kind: 'removeImport'; readonly id: number; readonly lines: number }
  | {
      readonly kind: 'writeOff';
      readonly lines: readonly number[];
      readonly transactions: readonly number[];
      onDone(): void;
    }
  | ({ readonly kind: 'split' } & ManualSplitSource)
  | { readonly kind: 'undoRun'; readonly run: MatchRun }
  | {
      readonly kind: 'restoreBooks';
      readonly from: ContractInputs['backups']['restore']['from'];
      readonly fingerprint: string;
      readonly when: string;
    }
  | { readonly kind: 'restorePack' }
  | { readonly kind: 'periodMove'; readonly period: string; readonly move: SignOffStep }
  | { readonly kind: 'explainItems'; readonly period: string; readonly items: readonly OutstandingItem[] }
  | { readonly kind: 'workpaperSettings' }
  | { readonly kind: 'export'; readonly selection: StatementExportSelection | null }
  | { readonly kind: 'resumeExport'; readonly export: string }
  | { readonly kind: 'verifyExport'; readonly path: string; readonly startNow?: boolean }
  | { readonly kind: 'changeRetention' }
  | { readonly kind: 'hold'; readonly statements: readonly number[] }
  | { readonly kind: 'release'; readonly hold: ArchiveHold }
  | { readonly kind: 'deletePdfs' }
  | { readonly kind: 'saveView'; readonly screen: FilterableScreen }
  | { readonly kind: 'palette' }
  | { readonly kind: 'keys' };

/** Source of a manual split: either an existing match, or bank lines and payments that the user selected. */
export type ManualSplitSource =
  | { readonly group: MatchGroupDetail }
  | {
      readonly group: null;
      readonly lines: readonly BankLine[];
      readonly payments: readonly Payment[];
      onDone(): void;
    };

/** Step in signing off a period. */
export type SignOffStep = 'submit' | 'approve' | 'reject' | 'close' | 'reopen';

/** Action on exceptions for which the user can enter a comment. */
export type ExceptionAction = 'accept' | 'reopen' | 'assign' | 'comment';

/** Webhooks to replay, given by a filter, by ids, or by an existing plan. */
export type ReplaySelection =
  | { readonly filter: WebhookFilter }
  | { readonly ids: number[] }
  | { readonly plan: ReplayPlan };

/** Statements to export: either all statements that match a filter, or the selected ones. */
export type StatementExportSelection = { readonly filter: StatementFilter } | { readonly ids: number[] };

export interface Notice {
  readonly id: number;
  readonly tone: 'good' | 'bad' | 'plain';
  readonly text: string;
  /** Undoes the action that the notice reports, if that is possible. */
  readonly undo?: UndoAction;
  /** Page that opens in the user's browser. */
  readonly link?: NoticeLink;
}

export interface NoticeLink {
  readonly label: string;
  readonly url: string;
}

/** Undoes an action and shows a notice about it. Throws backend errors. */
export type UndoAction = () => Promise<void>;

/** State of the window while it is open. Records are stored in the query cache instead. */
export interface WindowState {
  readonly route: Route;
  readonly filters: ScreenFilters;
  readonly dialog: DialogState | null;
  readonly expanded: boolean;
  readonly tabs: Readonly<Record<string, string>>;
  readonly notices: readonly Notice[];
  readonly undo: UndoAction | null;
  readonly announcement: string;
}

/** Initial filters. Exceptions and matches show only the items that still need a decision. */
const defaultFilters: ScreenFilters = {
  exceptions: { status: ['open'] },
  webhooks: {},
  statements: {},
  subscriptions: {},
  bank: {},
  matching: { status: ['suggested', 'ambiguous'] },
  allocations: {},
};

/** Screens whose list can be filtered. */
export const filterableScreens = Object.keys(defaultFilters) as readonly FilterableScreen[];

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

/** Changes the route. With `replace`, no entry is added to the browser history. */
export function navigate(to: Partial<Route>, replace = false): void {
  const current = useWindowState.getState().route;
  const isOtherScreen = to.screen !== undefined && to.screen !== current.screen;
  const route = { ...current, ...(isOtherScreen ? { item: null } : {}), ...to };
  if (formatRoute(route) === location.hash && route.site === current.site) return;
  if (replace) history.replaceState(null, '', formatRoute(route));
  else history.pushState(null, '', formatRoute(route));
  applyRoute(route);
}

/** Applies the URL's route now and after back or forward. Returns a function that removes the listener. */
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

/** Sets the filter of a screen. Removes undefined fields, so that equivalent filters compare as equal. */
export function setScreenFilter<S extends FilterableScreen>(screen: S, filter: ScreenFilters[S]): void {
  setState((view) => ({ filters: { ...view.filters, [screen]: withoutUndefined(filter) } }));
}

/** Opens a screen and replaces its filter with the given one. */
export function openFilteredScreen<S extends FilterableScreen>(screen: S, filter: ScreenFilters[S]): void {
  setScreenFilter(screen, filter);
  navigate({ screen: screen satisfies ScreenName, item: null });
}

function withoutUndefined<T extends object>(filter: T): T {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as T;
}

/** Opens a dialog. Removes success notices without an action, because they would cover the dialog's buttons. */
export function openDialog(dialog: DialogState): void {
  setState(({ notices }) => ({
    dialog,
    notices: notices.filter(
      ({ tone, undo, link }) => tone === 'bad' || undo !== undefined || link !== undefined,
    ),
  }));
}

/** Closes the open dialog without performing its action. */
export function closeDialog(): void {
  setState({ dialog: null });
}

/** Expands the detail pane to the full width, or restores its previous width. */
export function setDetailPaneExpanded(expanded: boolean): void {
  setState({ expanded });
}

/** Selects a tab of a tab group. The selection persists while the window is open. */
export function selectTab(group: string, tab: string): void {
  setState(({ tabs }) => ({ tabs: { ...tabs, [group]: tab } }));
}

let noticeCount = 0;

/** Shows a notice that an action succeeded, or that it failed if the error is not shown elsewhere. */
export function showNotice(text: string, tone: Notice['tone'] = 'plain', undo?: UndoAction): void {
  if (undo) setState({ undo });
  addNotice({ tone, text, ...(undo && { undo }) });
}

/** Shows a notice with a link to a page in the user's browser. */
export function showLinkNotice(text: string, link: NoticeLink): void {
  addNotice({ tone: 'plain', text, link });
}

function addNotice(content: Omit<Notice, 'id'>): void {
  noticeCount += 1;
  const notice = { id: noticeCount, ...content };
  setState((view) => ({ notices: [...view.notices.slice(-2), notice] }));
  announceToScreenReader(notice.text);
}

export function dismissNotice(id: number): void {
  setState((view) => ({ notices: view.notices.filter((notice) => notice.id !== id) }));
}

/** Undoes the latest action, but never twice. Does nothing if there is no action to undo. */
export async function undoLastAction(undo = useWindowState.getState().undo): Promise<void> {
  if (undo === null) return;
  setState((view) => ({
    undo: view.undo === undo ? null : view.undo,
    notices: view.notices.filter((notice) => notice.undo !== undo),
  }));
  await undo();
}

/** Announces a text to screen readers without interrupting them. */
export function announceToScreenReader(text: string): void {
  setState({ announcement: text });
}
