import { errorTitles } from '../../domain/labels/errors.ts';
import { jobKindLabels, jobStateLabels } from '../../domain/labels/jobs.ts';
import { formatCount, formatCountWithNoun, formatTotalCount } from './numbers.ts';

export const frameTexts = {
  product: 'Tieout',
  screens: {
    overview: 'Overview',
    exceptions: 'Exceptions',
    rules: 'Rules',
    webhooks: 'Webhooks',
    outages: 'Outages',
    replays: 'Replays',
    statements: 'Statements',
    subscriptions: 'Subscriptions',
    allocations: 'Allocations',
    bank: 'Bank',
    matching: 'Matching',
    periods: 'Periods',
    archive: 'Archive',
    audit: 'Audit log',
    backups: 'Backups',
    sync: 'Sync',
    sites: 'Sites',
    settings: 'Settings',
  },
  sections: {
    review: 'Review',
    delivery: 'Delivery',
    billing: 'Billing',
    reconciliation: 'Reconciliation',
    administration: 'Administration',
  },
  navigation: 'Main navigation',
  views: (screen: string) => `Saved views of ${screen}`,
  goTo: (screen: string) => `Go to ${screen}`,
  skip: 'Skip to content',
  switchSite: 'Switch site',
  yourSites: 'Sites',
  manageSites: 'Manage sites',
  demoTag: 'Demo',
  demoData: 'Fictional data',
  demoBanner:
    'This is the demo site. Its customers, payments and outages are fictional, and no data leaves this computer.',
  notices: 'Notifications',
  dismiss: 'Dismiss',
  undo: 'Undo',
  undoLast: 'Undo last action',
  nothingToUndo: 'There is nothing to undo.',
  noSite: 'Connect a site first.',
  copyLink: 'Copy link to this view',
  linkCopied: 'Link copied. It opens this view with its filter and sort order.',
  unknownParameters: (names: readonly string[]) =>
    `The link contains a filter that this screen does not have: ${names.join(', ')}. The list may show more rows than intended.`,
  opensAfterDialog: (file: string) => `${file} opens when you close this dialog.`,
  updateAvailable: (version: string) => `Tieout ${version} is available.`,
  openReleases: 'View release',
  disconnected: 'The connection to Tieout was lost. Reconnecting…',
  disconnectedBanner: 'The connection to Tieout was lost. Reconnecting… Stored data is safe.',
  backendGone: {
    browser:
      'Tieout is no longer running. Start it again the way you started it, for example with “npm start -- --browser”, and open the address that it prints. Stored data is safe.',
    electron: 'Tieout’s background process has ended. Quit Tieout and start it again. Stored data is safe.',
  },
  tabRefused: 'This tab cannot use Tieout',
  starting: 'Starting Tieout…',
  updatingDatabase: (done: number, total: number) =>
    `Updating the local database: ${done} of ${total} ${total === 1 ? 'step' : 'steps'}`,
  synced: (ago: string) => `Synced ${ago}`,
  syncedOffline: (ago: string) => `Synced ${ago}, offline`,
  neverSynced: 'Not synced yet',
  neverSyncedOffline: 'Not synced yet, offline',
  partlySynced: (ago: string) => `Synced ${ago}, incomplete`,
  incomplete: 'Incomplete',
  incompleteOffline: 'Incomplete, offline',
  syncing: 'Syncing…',
  problemState: 'Last sync failed',
  keyRefused: errorTitles.auth,
  offlineReason: (site: string) =>
    `Offline: the service of ${site} does not respond. Stored data is still available.`,
  expand: 'Expand details',
  closeDetail: 'Close details',
  nothingOpen: 'Open a record first.',
  resize: 'Width of the detail pane',
  welcome: 'Welcome to Tieout',
  welcomeText:
    'Connect the site you bill from. Tieout stores a copy of its webhook log, allocations and statements on this computer, so you can read and reconcile them offline.',
};

export const controlTexts = {
  none: 'None',
  chosen: 'selected',
  close: 'Close',
  cancel: 'Cancel',
  copied: 'Copied',
  noClipboard: 'The clipboard is not available.',
  noFile: 'The file could not be read.',
};

export const gridTexts = {
  loading: 'Loading',
  columns: 'Columns',
  moveLeft: (title: string) => `Move ${title} left`,
  moveRight: (title: string) => `Move ${title} right`,
  isFirst: 'This is the first column.',
  isLast: 'This is the last column.',
  resetColumns: 'Reset columns',
  selectAllMatching: 'Select all matching rows',
  nothingListed: 'The list is empty.',
  copied: (rows: number) => `${formatCountWithNoun(rows, 'row')} copied.`,
  copyCell: 'Copy value',
  tableOf: (what: string) => `${what}, table`,
  copyTable: 'Copy table',
  copyRows: (rows: number) => (rows > 1 ? `Copy ${formatCountWithNoun(rows, 'row')}` : 'Copy row'),
  sorted: (title: string, direction: 'asc' | 'desc') =>
    `Sorted by ${title}, ${direction === 'asc' ? 'ascending' : 'descending'}.`,
  allSelected: (total: number) => `All ${formatCount(total)} matching rows are selected.`,
  menu: 'Row actions',
  selected: (count: number) => `${formatCount(count)} selected`,
  allMatch: (count: number) => `All ${formatCount(count)} matching selected`,
  clearSelection: 'Clear selection',
  onlyThis: (title: string, value: string) => `Filter by ${title}: ${value}`,
  export: {
    title: 'Export',
    csv: 'Export as CSV…',
    xlsx: 'Export as Excel (XLSX)…',
    print: 'Print…',
    exportAs: (format: string) => `Export list as ${format}…`,
    printList: 'Print list…',
    noList: 'This screen has no list.',
    running: (rows: string) => `Cancel export (${rows} rows)`,
    alreadyRunning: 'Another export is running. Wait until it has finished, or cancel it.',
    canceled: 'Export canceled. Nothing was saved.',
    failed: (title: string) => `${title} could not be exported.`,
    tooLongToPrint: (rows: number) =>
      `Lists of more than ${formatCount(rows)} rows cannot be printed. Filter the list, or export it.`,
    rows: (count: number) => formatCountWithNoun(count, 'row'),
    site: 'Site',
    filter: 'Filter',
    noFilter: 'none, all rows',
    sort: 'Sorted by',
    sortedBy: (title: string, direction: 'asc' | 'desc') =>
      `${title}, ${direction === 'asc' ? 'ascending' : 'descending'}`,
    timeZone: 'Time zone',
    exported: 'Exported',
  },
  of: (total: { count: number; exact: boolean }, one: string, many?: string) =>
    total.exact
      ? formatCountWithNoun(total.count, one, many)
      : `${formatTotalCount(total)} ${many ?? `${one}s`}`,
};

export const filterTexts = {
  search: 'Search',
  focus: 'Search and filter',
  bar: 'Filter',
  clear: 'Clear filter',
  clearAll: 'Clear',
  searchFor: (search: string) => `Search: ${search}`,
  figure: 'Figure',
  figureOf: (id: string, month: string, currency: string) => `${id}, ${month}, ${currency}`,
  nothingToClear: 'No filter is set.',
  unsearched: {
    noneTitle: 'No matches so far',
    all: (parts: readonly string[]) =>
      `The text of ${parts.join(' and ')} is still being indexed. More matches may follow.`,
    webhooks: (count: number) => formatCountWithNoun(count, 'webhook'),
    statements: (count: number) => formatCountWithNoun(count, 'statement'),
    pdfs: (count: number) => formatCountWithNoun(count, 'PDF'),
  },
  nothingToSave: 'Set a filter first. The view stores it.',
  saveView: 'Save as view…',
  saveViewTitle: 'Save this view',
  saveViewText: 'The view stores the current filter and appears in the navigation.',
  viewName: 'Name',
  save: 'Save',
  deleteView: (name: string) => `Delete view ${name}`,
  remove: (label: string) => `Remove filter ${label}`,
  days: 'Created',
  closedDays: 'Closed',
  from: 'From',
  until: 'Until',
  dayHint: 'Includes both days, in the site’s time zone as sent by the service.',
  stored: (first: string, last: string) => `Stored: ${first} – ${last}`,
  since: (day: string) => `from ${day}`,
  upTo: (day: string) => `until ${day}`,
  between: (first: string, last: string) => (first === last ? first : `${first} – ${last}`),
  presets: { week: 'Last 7 days', month: 'Last 30 days', thisMonth: 'This month', lastMonth: 'Last month' },
  more: (count: number) => `${count} selected`,
  find: 'Search',
  noOption: 'No matching option.',
};

export const commandPaletteTexts = {
  open: 'Search or run a command',
  openShort: 'Search…',
  placeholder: 'Search records and commands',
  keys: 'Keyboard shortcuts',
  nothing: 'No matching record or command.',
  list: 'Results',
  kinds: {
    customers: 'Customers',
    statements: 'Statements',
    payments: 'Payments',
    lines: 'Bank lines',
    exceptions: 'Exceptions',
    webhooks: 'Webhooks',
  },
  showAll: (words: string) => `Show all with “${words}”`,
  searchAll: (words: string) => `Search older records for “${words}”`,
  indexing: 'Some records are still being indexed. More results may follow.',
  switchTo: (title: string) => `Switch to ${title}`,
  openView: (name: string) => `Open view ${name}`,
  sections: {
    go: 'Go to',
    exceptions: 'Exceptions',
    webhooks: 'Webhooks',
    replays: 'Replays',
    statements: 'Statements',
    allocations: 'Allocations',
    archive: 'Archive',
    bank: 'Bank',
    periods: 'Periods',
    sync: 'Sync',
    sites: 'Sites',
    view: 'View',
    help: 'Help',
    elsewhere: 'Other screens',
  },
  inLists: 'In lists',
  listKeys: [
    ['J', 'Next row'],
    ['K', 'Previous row'],
    ['PageDown', 'Next page'],
    ['Home', 'First row'],
    ['End', 'Last row'],
    ['Enter', 'Open row'],
    ['X', 'Select row'],
    ['Shift+ArrowDown', 'Extend selection'],
    ['Mod+A', 'Select all matching rows'],
    ['Mod+C', 'Copy rows'],
    ['ArrowRight', 'Next cell'],
    ['Shift+F10', 'Row actions'],
    ['Escape', 'Clear selection, then close details'],
  ] as const,
};

/** Texts of the field for the reason of a decision, which the audit log records. */
export const decisionReasonTexts = {
  label: 'Reason',
  missing: 'Enter a reason. It is recorded in the audit log.',
} as const;

export const jobTexts = {
  tray: 'Jobs',
  none: 'No jobs yet.',
  recent: 'Recent jobs',
  cancel: (kind: string) => `Cancel ${kind.toLowerCase()}`,
  remaining: (left: string) => `about ${left} left`,
  progressOf: (done: number, total: number | null, estimated = false) =>
    total === null
      ? formatCount(done)
      : `${formatCount(done)} of ${estimated ? 'about ' : ''}${formatCount(total)}`,
  failed: (count: number) => `${formatCount(count)} failed`,
  states: jobStateLabels,
  kinds: jobKindLabels,
  waits: {
    limited: (at: string | null) =>
      `The service limits the request rate. Waiting${at === null ? '' : ` until ${at}`}`,
    away: 'The service does not respond. Retrying',
    failing: 'The service returns errors. Retrying',
    slow: 'Waiting for the service to respond',
  },
  idle: 'No job is running',
  others: (count: number) => `+${formatCount(count)}`,
};

export const errorMessageTexts = {
  details: 'Technical details',
  retry: 'Try again',
  retryIn: (seconds: number) => `Try again in ${seconds} s`,
  waiting: (seconds: number) => `The service asked Tieout to wait ${seconds} s.`,
  openChecks: 'Open system checks',
};

export const savingTexts = {
  saved: (place: string) => `Saved as ${place}.`,
  downloading: (name: string) => `Your browser is downloading ${name}.`,
};
