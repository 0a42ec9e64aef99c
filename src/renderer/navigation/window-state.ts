import { create } from 'zustand';
import { texts } from '../texts/texts.ts';
import { type AddressState, formatAddress, type ListSort, parseAddress } from './address.ts';
import type { DialogState } from './dialog-state.ts';
import { defaultFilters, type FilterableList, getScreenOfList, type ListFilters } from './list-filters.ts';
import { saveListPositions, savePositionsOnInput } from './list-positions.ts';
import { parseRoute, type Route } from './route.ts';

export type * from './dialog-state.ts';

export interface Notice {
  readonly id: number;
  readonly tone: 'good' | 'bad' | 'plain';
  readonly text: string;
  /** Undoes the reported action. Omitted if it cannot be undone. */
  readonly undo?: UndoAction;
  /** Link to a page that opens in the user's browser. */
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
  readonly filters: ListFilters;
  /** Sort order of each list that was sorted in this window or by its address. */
  readonly sorts: AddressState['sorts'];
  readonly dialog: DialogState | null;
  readonly expanded: boolean;
  readonly tabs: AddressState['tabs'];
  readonly notices: readonly Notice[];
  readonly undo: UndoAction | null;
  readonly announcement: string;
}

export const useWindowState = create<WindowState>(() => ({
  route: parseRoute(''),
  filters: defaultFilters,
  sorts: {},
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
  const { route: current, filters } = useWindowState.getState();
  const isOtherScreen = to.screen !== undefined && to.screen !== current.screen;
  const route = { ...current, ...(isOtherScreen ? { item: null } : {}), ...to };
  showView({ route, filters: isOtherSite(route) ? defaultFilters : filters }, replace);
}

/** Opens the view that an address describes, for example from a link to the app. */
export function openAddress(address: string): void {
  const view = parseView(address);
  showView({
    ...view,
    route: { ...view.route, site: view.route.site ?? useWindowState.getState().route.site },
  });
}

/** Applies the URL's view now and after back or forward. Returns a function that removes the listener. */
export function followBrowserHistory(): () => void {
  const applyAddress = () => applyView(parseView(location.hash));
  applyAddress();
  const stopSaving = savePositionsOnInput();
  window.addEventListener('popstate', applyAddress);
  return () => {
    stopSaving();
    window.removeEventListener('popstate', applyAddress);
  };
}

type AddressView = Pick<WindowState, 'route'> & Partial<Pick<WindowState, 'filters' | 'sorts' | 'tabs'>>;

/** Returns the view that an address describes. Other screens keep their filters, unless the site changes. */
function parseView(address: string): AddressView {
  const { route, filters, sorts, tabs, unknown } = parseAddress(address);
  const current = useWindowState.getState();
  if (unknown.length > 0) showNotice(texts.frame.unknownParameters(unknown), 'bad');
  return {
    route,
    filters: { ...(isOtherSite(route) ? defaultFilters : current.filters), ...filters },
    sorts: { ...current.sorts, ...sorts },
    tabs: { ...current.tabs, ...tabs },
  };
}

function isOtherSite({ site }: Route): boolean {
  const { site: current } = useWindowState.getState().route;
  return current !== null && current !== site;
}

/** Shows a view and adds its address to the browser history. With `replace`, replaces the current entry. */
function showView(view: AddressView, replace = false): void {
  const current = useWindowState.getState();
  const address = formatAddress({ ...current, ...view });
  if (address === location.hash && view.route.site === current.route.site) return;
  if (replace) history.replaceState(history.state, '', address);
  else {
    saveListPositions();
    history.pushState(null, '', address);
  }
  applyView(view);
}

function applyView(view: AddressView): void {
  const previous = useWindowState.getState().route;
  const { route } = view;
  setState({
    ...view,
    ...(route.item === null || previous.screen !== route.screen ? { expanded: false } : {}),
  });
}

/** Writes the address of the current view into the current entry of the browser history. */
function updateAddress(): void {
  showView({ route: useWindowState.getState().route }, true);
}

/** Sets the filter of a list. Removes undefined fields, so that equivalent filters compare as equal. */
export function setListFilter<L extends FilterableList>(list: L, filter: ListFilters[L]): void {
  setState((view) => ({ filters: { ...view.filters, [list]: withoutUndefined(filter) } }));
  updateAddress();
}

/** Sets the sort order of the list with the given grid name. */
export function setListSort(list: string, sort: ListSort): void {
  setState(({ sorts }) => ({ sorts: { ...sorts, [list]: sort } }));
  updateAddress();
}

/** Opens a list and replaces its filter. `item` opens a tab of the screen that contains the list. */
export function openFilteredList<L extends FilterableList>(
  list: L,
  filter: ListFilters[L],
  item: string | null = null,
): void {
  const { route, filters } = useWindowState.getState();
  showView({
    route: { ...route, screen: getScreenOfList(list), item },
    filters: { ...filters, [list]: withoutUndefined(filter) },
  });
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

/** Selects a tab of a tab group. The selection persists while the window is open and is part of the address. */
export function selectTab(group: string, tab: string): void {
  setState(({ tabs }) => ({ tabs: { ...tabs, [group]: tab } }));
  updateAddress();
}

let noticeCount = 0;

/** Shows a notice about an action that succeeded, or about a failure that is not shown elsewhere. */
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
