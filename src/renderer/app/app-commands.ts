import {
  Archive,
  BookCheck,
  Building2,
  ChartColumn,
  CheckCheck,
  CircleAlert,
  CircleHelp,
  Clock,
  DatabaseBackup,
  FileText,
  GitCompareArrows,
  KeyRound,
  Landmark,
  Layers,
  LayoutDashboard,
  Link2,
  ListChecks,
  type LucideIcon,
  Maximize2,
  Monitor,
  Moon,
  PanelRightClose,
  RefreshCw,
  Repeat2,
  Rows3,
  Rows4,
  ScrollText,
  Search,
  Settings2,
  Sparkles,
  Sun,
  Users,
  Webhook,
  X,
} from 'lucide-react';
import { getParentAllocationRoute as behindAllocation } from '../allocations/allocation-route.ts';
import { getParentBankRoute } from '../bank/bank-route.ts';
import { type Command, type CommandContext, createCommandFactory } from '../commands/command.ts';
import { getMatchingParentRoute } from '../matching/shared/matching-route.ts';
import { formatAddress } from '../navigation/address.ts';
import { type FilterableScreen, filterableScreens } from '../navigation/list-filters.ts';
import type { Route, ScreenName } from '../navigation/route.ts';
import {
  navigate,
  openDialog,
  setDetailPaneExpanded,
  setListFilter,
  showNotice,
  useWindowState,
} from '../navigation/window-state.ts';
import { getPeriodParentRoute } from '../periods/shared/period-route.ts';
import { timeZoneChoices } from '../texts/display-zone.ts';
import { texts } from '../texts/texts.ts';
import { changeUserSetting, useUserSettings } from '../user-settings/user-settings.ts';
import { useWindowShell } from '../window-shell/window-shell.ts';

const screenKeys: Record<ScreenName, readonly [string, LucideIcon]> = {
  overview: ['G O', LayoutDashboard],
  exceptions: ['G E', CircleAlert],
  rules: ['G L', ListChecks],
  webhooks: ['G W', Webhook],
  outages: ['G F', ChartColumn],
  replays: ['G R', Repeat2],
  statements: ['G S', FileText],
  subscriptions: ['G U', Users],
  allocations: ['G A', Layers],
  bank: ['G B', Landmark],
  matching: ['G M', GitCompareArrows],
  periods: ['G P', BookCheck],
  archive: ['G H', Archive],
  audit: ['G D', ScrollText],
  backups: ['G K', DatabaseBackup],
  sync: ['G Y', RefreshCw],
  sites: ['G I', Building2],
  settings: ['G T', Settings2],
};

const screenCommands = (Object.keys(screenKeys) as ScreenName[]).map((screen) => {
  const [keys, icon] = screenKeys[screen];
  const title = texts.frame.goTo(texts.frame.screens[screen]);
  return createCommandFactory({ section: 'go' })({ id: `go.${screen}`, title, icon, keys: [keys] }, () =>
    navigate({ screen, item: null }),
  );
});

const viewCommand = createCommandFactory({ section: 'view' });
const helpCommand = createCommandFactory({ section: 'help' });
const alreadyActive = texts.settings.alreadyActive;

const themeIcons = { system: Monitor, light: Sun, dark: Moon } as const;
const themeCommands = (['system', 'light', 'dark'] as const).map((theme) =>
  viewCommand(
    {
      id: `theme.${theme}`,
      title: texts.settings.useTheme(texts.settings.themes[theme]),
      icon: themeIcons[theme],
      enabled: () => useUserSettings.getState().theme !== theme || alreadyActive,
    },
    () => changeUserSetting('theme', theme),
  ),
);

const densityCommands = (['regular', 'compact'] as const).map((density) =>
  viewCommand(
    {
      id: `density.${density}`,
      title: texts.settings.useDensity(texts.settings.densities[density]),
      icon: density === 'regular' ? Rows3 : Rows4,
      enabled: () => useUserSettings.getState().density !== density || alreadyActive,
    },
    () => changeUserSetting('density', density),
  ),
);

const timeZoneCommands = timeZoneChoices.map((choice) =>
  viewCommand(
    {
      id: `timeZone.${choice}`,
      title: texts.timeZones.use(texts.timeZones.choices[choice]),
      icon: Clock,
      enabled: () => useUserSettings.getState()['time.zone'] !== choice || alreadyActive,
    },
    () => changeUserSetting('time.zone', choice),
  ),
);

/** Returns the route item to show after the open item is closed; null if only the screen remains. */
function parentItem({ screen, item }: Route): string | null {
  if (screen === 'matching') return getMatchingParentRoute(item);
  if (screen === 'periods') return getPeriodParentRoute(item);
  return screen === 'bank' ? getParentBankRoute(item) : behindAllocation(item);
}

const isFiltered = ({ route, filters }: CommandContext) =>
  Object.keys(filters[route.screen as FilterableScreen] ?? {}).length > 0;

/** Copies a link that opens the current view with its filter, sort order, tab, and open record. */
async function copyLinkToView(): Promise<void> {
  const state = useWindowState.getState();
  const { sorts } = useUserSettings.getState();
  const address = formatAddress({ ...state, sorts: { ...sorts, ...state.sorts } });
  const isElectron = useWindowShell.getState().shell !== null;
  const link = isElectron ? `tieout://open${address.slice(1)}` : new URL(address, location.href).href;
  await navigator.clipboard.writeText(link);
  showNotice(texts.frame.linkCopied);
}

const isItemOpen = ({ route }: CommandContext) => route.item !== null || texts.frame.nothingOpen;

export const appCommands: readonly Command[] = [
  ...screenCommands,
  viewCommand(
    {
      id: 'view.filter',
      title: texts.filters.focus,
      icon: Search,
      keys: ['Mod+F', '/'],
      worksWhileTyping: true,
      screens: filterableScreens,
    },
    () => document.querySelector<HTMLInputElement>('.filter-search input')?.focus(),
  ),
  viewCommand(
    {
      id: 'view.selectAll',
      title: texts.grid.selectAllMatching,
      icon: CheckCheck,
      keys: ['Mod+A'],
      screens: [...filterableScreens, 'periods'],
      enabled: ({ grid }) => (grid?.state.getState().total ?? 0) > 0 || texts.grid.nothingListed,
    },
    ({ grid }) => grid?.selectAll(),
  ),
  viewCommand(
    {
      id: 'view.clearFilter',
      title: texts.filters.clear,
      icon: X,
      screens: filterableScreens,
      enabled: (context) => isFiltered(context) || texts.filters.nothingToClear,
    },
    ({ route }) => setListFilter(route.screen as FilterableScreen, {}),
  ),
  viewCommand(
    {
      id: 'view.save',
      title: texts.filters.saveView,
      screens: filterableScreens,
      enabled: (context) => isFiltered(context) || texts.filters.nothingToSave,
    },
    ({ route }) => openDialog({ kind: 'saveView', screen: route.screen as FilterableScreen }),
  ),
  viewCommand(
    { id: 'view.copyLink', title: texts.frame.copyLink, icon: Link2, keys: ['Shift+U'] },
    copyLinkToView,
  ),
  viewCommand(
    {
      id: 'view.expand',
      title: texts.frame.expand,
      icon: Maximize2,
      keys: ['F'],
      screens: ['exceptions', 'webhooks', 'statements', 'subscriptions'],
      enabled: isItemOpen,
    },
    () => setDetailPaneExpanded(!useWindowState.getState().expanded),
  ),
  viewCommand(
    {
      id: 'view.closeDetail',
      title: texts.frame.closeDetail,
      icon: PanelRightClose,
      keys: ['Escape'],
      screens: [...filterableScreens, 'periods', 'backups', 'replays'],
      enabled: isItemOpen,
    },
    () =>
      useWindowState.getState().expanded
        ? setDetailPaneExpanded(false)
        : navigate({ item: parentItem(useWindowState.getState().route) }),
  ),
  ...themeCommands,
  ...densityCommands,
  ...timeZoneCommands,
  helpCommand(
    {
      id: 'help.palette',
      title: texts.palette.open,
      icon: Search,
      keys: ['Mod+K'],
      worksWhileTyping: true,
    },
    () => openDialog({ kind: 'palette' }),
  ),
  helpCommand(
    { id: 'help.open', title: texts.help.open, icon: CircleHelp, keys: ['F1', '?'], worksWhileTyping: true },
    () => openDialog({ kind: 'help', topic: 'screen' }),
  ),
  helpCommand({ id: 'help.apiKey', title: texts.help.apiKey.title, icon: KeyRound }, () =>
    openDialog({ kind: 'help', topic: 'apiKey' }),
  ),
  helpCommand({ id: 'help.news', title: texts.help.news, icon: Sparkles }, () =>
    openDialog({ kind: 'help', topic: 'news' }),
  ),
];
