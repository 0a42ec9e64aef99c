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
import { type Route, readRoute, routeText, type Screen } from './route.ts';

/** What each filtered screen is filtered by. */
export interface Filters {
  readonly exceptions: ExceptionFilter;
  readonly webhooks: WebhookFilter;
  readonly statements: StatementFilter;
  readonly subscriptions: { readonly search?: string | undefined };
  readonly bank: BankLineFilter;
  readonly matching: GroupFilter;
  readonly allocations: {
    readonly search?: string | undefined;
    readonly state?: 'held' | 'waiting' | 'missing' | 'problem' | undefined;
    readonly subscription_id?: number | undefined;
  };
}
export type FilteredScreen = keyof Filters;

/** The one dialog that is open. */
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
      readonly act: ExceptionAct;
      readonly ids: readonly number[];
      readonly stake: string | null;
      onDone(): void;
    }
  | { readonly kind: 'switchRule'; readonly rule: CheckRule }
  | { readonly kind: 'importFile' }
  | { readonly kind: 'removeImport'; readonly id: number; readonly lines: number }
  | { readonly kind: 'writeOff'; readonly lines: readonly number[]; readonly transactions: readonly number[] }
  | ({ readonly kind: 'divide' } & Dividing)
  | { readonly kind: 'undoRun'; readonly run: MatchRun }
  | {
      readonly kind: 'restoreBooks';
      readonly from: Inputs['backups']['restore']['from'];
      readonly shown: string;
      readonly when: string;
    }
  | { readonly kind: 'restorePack' }
  | { readonly kind: 'periodMove'; readonly period: string; readonly move: PeriodMove }
  | { readonly kind: 'explainItems'; readonly period: string; readonly items: readonly OpenItem[] }
  | { readonly kind: 'workpaperSettings' }
  | { readonly kind: 'export'; readonly selection: ExportSelection | null }
  | { readonly kind: 'goOnExport'; readonly export: string }
  | { readonly kind: 'verifyBag'; readonly path: string }
  | { readonly kind: 'retain' }
  | { readonly kind: 'hold'; readonly statements: readonly number[] }
  | { readonly kind: 'release'; readonly hold: ArchiveHold }
  | { readonly kind: 'deletePdfs' }
  | { readonly kind: 'saveView'; readonly screen: FilteredScreen }
  | { readonly kind: 'palette' }
  | { readonly kind: 'keys' };

/** What is divided by hand: a match there is, or what was picked on both sides. */
export type Dividing =
  | { readonly group: MatchGroupDetail }
  | {
      readonly group: null;
      readonly lines: readonly BankLine[];
      readonly payments: readonly Payment[];
      onDone(): void;
    };

/** A step of a period’s sign-off. */
export type PeriodMove = 'submit' | 'approve' | 'reject' | 'close' | 'reopen';

/** What a person does about exceptions, with words of his own. */
export type ExceptionAct = 'accept' | 'reopen' | 'assign' | 'comment';

/** What to replay: by filter, by id, or as planned already. */
export type ReplaySelection =
  | { readonly filter: WebhookFilter }
  | { readonly ids: number[] }
  | { readonly plan: ReplayPlan };

/** What is exported: all that a filter finds, or the statements picked. Null: asked for in the dialog. */
export type ExportSelection = { readonly filter: StatementFilter } | { readonly ids: number[] };

export interface Notice {
  readonly id: number;
  readonly tone: 'good' | 'bad' | 'plain';
  readonly text: string;
  /** Takes back what it tells of. */
  readonly undo?: Undo;
}

/** Takes back what was done last, and says so; throws what the backend throws. */
export type Undo = () => Promise<void>;

/** What the window remembers of its own state while it is open. Data is not kept here. */
export interface View {
  readonly route: Route;
  readonly filters: Filters;
  readonly dialog: DialogState | null;
  /** Screens whose detail fills the window. */
  readonly expanded: boolean;
  /** The tab in front, by the detail it belongs to. */
  readonly tabs: Readonly<Record<string, string>>;
  readonly notices: readonly Notice[];
  /** What was done last, where it can be taken back. */
  readonly undo: Undo | null;
  /** The last thing said to screen readers. */
  readonly said: string;
}

/** Until something else is chosen: everything, and of exceptions and matches what is left to do. */
const noFilters: Filters = {
  exceptions: { status: ['open'] },
  webhooks: {},
  statements: {},
  subscriptions: {},
  bank: {},
  matching: { status: ['suggested', 'ambiguous'] },
  allocations: {},
};

/** The screens that have a filter. */
export const filteredScreens = Object.keys(noFilters) as readonly FilteredScreen[];

export const useView = create<View>(() => ({
  route: readRoute(''),
  filters: noFilters,
  dialog: null,
  expanded: false,
  tabs: {},
  notices: [],
  undo: null,
  said: '',
}));

const set = useView.setState;

/** Goes to a place; with `replace` no step is added to the way back. */
export function go(to: Partial<Route>, replace = false): void {
  const from = useView.getState().route;
  const moved = to.screen !== undefined && to.screen !== from.screen;
  const route = { ...from, ...(moved ? { item: null } : {}), ...to };
  if (routeText(route) === location.hash && route.site === from.site) return;
  if (replace) history.replaceState(null, '', routeText(route));
  else history.pushState(null, '', routeText(route));
  arrive(route);
}

/** Follows the address: at the start, and on back and forward. */
export function followAddress(): () => void {
  const follow = () => arrive(readRoute(location.hash));
  follow();
  window.addEventListener('popstate', follow);
  return () => window.removeEventListener('popstate', follow);
}

function arrive(route: Route): void {
  const from = useView.getState().route;
  const otherSite = from.site !== null && from.site !== route.site;
  set({
    route,
    ...(otherSite ? { filters: noFilters } : {}),
    ...(route.item === null || from.screen !== route.screen ? { expanded: false } : {}),
  });
}

/** Filters a screen; what is absent is left out, so that equal filters are equal. */
export function setFilter<S extends FilteredScreen>(screen: S, filter: Filters[S]): void {
  set((view) => ({ filters: { ...view.filters, [screen]: withoutAbsent(filter) } }));
}

/** Opens a screen filtered to what is asked, and nothing else. */
export function showFiltered<S extends FilteredScreen>(screen: S, filter: Filters[S]): void {
  setFilter(screen, filter);
  go({ screen: screen satisfies Screen, item: null });
}

function withoutAbsent<T extends object>(filter: T): T {
  return Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)) as T;
}

/** What went well was read by whoever opens a dialog, and would lie on its buttons; failures, and what can be taken back, stay. */
export function openDialog(dialog: DialogState): void {
  set(({ notices: shown }) => ({
    dialog,
    notices: shown.filter(({ tone, undo }) => tone === 'bad' || undo !== undefined),
  }));
}

/** Closes the dialog, whichever it is; what it would have done is not done. */
export function closeDialog(): void {
  set({ dialog: null });
}

/** Gives the detail the whole width, or takes it back. */
export function setExpanded(expanded: boolean): void {
  set({ expanded });
}

/** Chooses a tab of a screen or detail (`of`), which stays chosen in this window. */
export function setTab(of: string, tab: string): void {
  set(({ tabs }) => ({ tabs: { ...tabs, [of]: tab } }));
}

let notices = 0;

/** Says that something is done, or failed where no other place shows it. */
export function notify(text: string, tone: Notice['tone'] = 'plain', undo?: Undo): void {
  notices += 1;
  const notice = { id: notices, tone, text, ...(undo && { undo }) };
  if (undo) set({ undo });
  set((view) => ({ notices: [...view.notices.slice(-2), notice] }));
  say(text);
}

export function dismissNotice(id: number): void {
  set((view) => ({ notices: view.notices.filter((notice) => notice.id !== id) }));
}

/** Takes back what was done last, once; does nothing where that is not possible. */
export async function undoLast(undo = useView.getState().undo): Promise<void> {
  if (undo === null) return;
  set((view) => ({
    undo: view.undo === undo ? null : view.undo,
    notices: view.notices.filter((notice) => notice.undo !== undo),
  }));
  await undo();
}

/** Speaks to screen readers, politely. */
export function say(text: string): void {
  set({ said: text });
}
