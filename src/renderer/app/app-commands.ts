import {
  Archive,
  BookCheck,
  Building2,
  ChartColumn,
  CheckCheck,
  CircleAlert,
  CircleHelp,
  DatabaseBackup,
  FileText,
  GitCompareArrows,
  Keyboard,
  Landmark,
  Layers,
  LayoutDashboard,
  ListChecks,
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
  Sun,
  Users,
  Webhook,
  X,
} from 'lucide-react';
import { parentRouteItem as behindAllocation } from '../allocations/allocation-route.ts';
import { bankParentRoute } from '../bank/route.ts';
import { alwaysEnabled, type Command } from '../commands/command.ts';
import { matchingParentRoute } from '../matching/route.ts';
import type { Route, ScreenName } from '../navigation/route.ts';
import {
  type FilteredScreen,
  filteredScreens,
  navigate,
  openDialog,
  setExpanded,
  setFilter,
  useWindowState,
} from '../navigation/window-state.ts';
import { periodParentRoute } from '../periods/route.ts';
import { texts } from '../texts/texts.ts';
import type { Theme } from '../theme/theme.ts';
import { changeSetting, useUserSettings } from '../user-settings/user-settings.ts';

const screenKeys: Record<ScreenName, readonly [string, Command['icon']]> = {
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

const screenCommands: Command[] = (Object.keys(screenKeys) as ScreenName[]).map((screen) => {
  const [keys, icon] = screenKeys[screen];
  return {
    id: `go.${screen}`,
    title: texts.frame.goTo(texts.frame.screens[screen]),
    section: 'go',
    ...(icon ? { icon } : {}),
    keys: [keys],
    enabled: alwaysEnabled,
    run: () => navigate({ screen, item: null }),
  };
});

const themeIcons = { system: Monitor, light: Sun, dark: Moon } as const;
const themeCommands: Command[] = (['system', 'light', 'dark'] as Theme[]).map((theme) => ({
  id: `theme.${theme}`,
  title: texts.settings.useTheme(texts.settings.themes[theme]),
  section: 'view',
  icon: themeIcons[theme],
  enabled: () => (useUserSettings.getState().theme === theme ? texts.settings.alreadyActive : true),
  run: () => changeSetting('theme', theme),
}));

const densityCommands: Command[] = (['regular', 'compact'] as const).map((density) => ({
  id: `density.${density}`,
  title: texts.settings.useDensity(texts.settings.densities[density]),
  section: 'view',
  icon: density === 'regular' ? Rows3 : Rows4,
  enabled: () => (useUserSettings.getState().density === density ? texts.settings.alreadyActive : true),
  run: () => changeSetting('density', density),
}));

/** Returns the item that stays open after the current one is closed, or null if there is none. */
function parentItem({ screen, item }: Route): string | null {
  if (screen === 'matching') return matchingParentRoute(item);
  if (screen === 'periods') return periodParentRoute(item);
  return screen === 'bank' ? bankParentRoute(item) : behindAllocation(item);
}

const screensWithDetail: ScreenName[] = ['exceptions', 'webhooks', 'statements', 'subscriptions'];

export const appCommands: readonly Command[] = [
  ...screenCommands,
  {
    id: 'view.filter',
    title: texts.filters.focus,
    section: 'view',
    icon: Search,
    keys: ['Mod+F', '/'],
    worksWhileTyping: true,
    screens: filteredScreens,
    enabled: alwaysEnabled,
    run: () => document.querySelector<HTMLInputElement>('.filter-search input')?.focus(),
  },
  {
    id: 'view.selectAll',
    title: texts.grid.selectAllMatching,
    section: 'view',
    icon: CheckCheck,
    keys: ['Mod+A'],
    screens: [...filteredScreens, 'periods'],
    enabled: ({ grid }) => ((grid?.state.getState().total ?? 0) > 0 ? true : texts.grid.nothingListed),
    run: ({ grid }) => grid?.selectAll(),
  },
  {
    id: 'view.clearFilter',
    title: texts.filters.clear,
    section: 'view',
    icon: X,
    screens: filteredScreens,
    enabled: ({ route, filters }) =>
      Object.keys(filters[route.screen as FilteredScreen] ?? {}).length > 0
        ? true
        : texts.filters.nothingToClear,
    run: ({ route }) => setFilter(route.screen as FilteredScreen, {}),
  },
  {
    id: 'view.save',
    title: texts.filters.saveView,
    section: 'view',
    screens: filteredScreens,
    enabled: ({ route, filters }) =>
      Object.keys(filters[route.screen as FilteredScreen] ?? {}).length > 0
        ? true
        : texts.filters.nothingToSave,
    run: ({ route }) => openDialog({ kind: 'saveView', screen: route.screen as FilteredScreen }),
  },
  {
    id: 'view.expand',
    title: texts.frame.expand,
    section: 'view',
    icon: Maximize2,
    keys: ['F'],
    screens: screensWithDetail,
    enabled: ({ route }) => (route.item === null ? texts.frame.nothingOpen : true),
    run: () => setExpanded(!useWindowState.getState().expanded),
  },
  {
    id: 'view.closeDetail',
    title: texts.frame.closeDetail,
    section: 'view',
    icon: PanelRightClose,
    keys: ['Escape'],
    screens: [...filteredScreens, 'periods', 'backups', 'replays'],
    enabled: ({ route }) => (route.item === null ? texts.frame.nothingOpen : true),
    run: () =>
      useWindowState.getState().expanded
        ? setExpanded(false)
        : navigate({ item: parentItem(useWindowState.getState().route) }),
  },
  ...themeCommands,
  ...densityCommands,
  {
    id: 'help.palette',
    title: texts.palette.open,
    section: 'help',
    icon: CircleHelp,
    keys: ['Mod+K'],
    worksWhileTyping: true,
    enabled: alwaysEnabled,
    run: () => openDialog({ kind: 'palette' }),
  },
  {
    id: 'help.keys',
    title: texts.palette.keys,
    section: 'help',
    icon: Keyboard,
    keys: ['?'],
    enabled: alwaysEnabled,
    run: () => openDialog({ kind: 'keys' }),
  },
];
