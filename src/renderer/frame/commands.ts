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
import { behind as behindAllocation } from '../allocations/place.ts';
import { bankBehind } from '../bank/place.ts';
import { always, type Command } from '../commands/command.ts';
import { matchingBehind } from '../matching/place.ts';
import { periodBehind } from '../periods/place.ts';
import { choose, useChosen } from '../settings/chosen.ts';
import type { Theme } from '../theme/theme.ts';
import type { Route, Screen } from '../view/route.ts';
import {
  type FilteredScreen,
  filteredScreens,
  go,
  openDialog,
  setExpanded,
  setFilter,
  useView,
} from '../view/view.ts';
import { words } from '../words/words.ts';

const screenKeys: Record<Screen, readonly [string, Command['icon']]> = {
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

const goCommands: Command[] = (Object.keys(screenKeys) as Screen[]).map((screen) => {
  const [keys, icon] = screenKeys[screen];
  return {
    id: `go.${screen}`,
    title: words.frame.goTo(words.frame.screens[screen]),
    section: 'go',
    ...(icon ? { icon } : {}),
    keys: [keys],
    enabled: always,
    run: () => go({ screen, item: null }),
  };
});

const themeIcons = { system: Monitor, light: Sun, dark: Moon } as const;
const themeCommands: Command[] = (['system', 'light', 'dark'] as Theme[]).map((theme) => ({
  id: `theme.${theme}`,
  title: words.settings.useTheme(words.settings.themes[theme]),
  section: 'view',
  icon: themeIcons[theme],
  enabled: () => (useChosen.getState().theme === theme ? words.settings.inUse : true),
  run: () => choose('theme', theme),
}));

const densityCommands: Command[] = (['regular', 'compact'] as const).map((density) => ({
  id: `density.${density}`,
  title: words.settings.useDensity(words.settings.densities[density]),
  section: 'view',
  icon: density === 'regular' ? Rows3 : Rows4,
  enabled: () => (useChosen.getState().density === density ? words.settings.inUse : true),
  run: () => choose('density', density),
}));

/** Where closing what is open leads. */
function behind({ screen, item }: Route): string | null {
  if (screen === 'matching') return matchingBehind(item);
  if (screen === 'periods') return periodBehind(item);
  return screen === 'bank' ? bankBehind(item) : behindAllocation(item);
}

const details: Screen[] = ['exceptions', 'webhooks', 'statements', 'subscriptions'];

export const frameCommands: readonly Command[] = [
  ...goCommands,
  {
    id: 'view.filter',
    title: words.filters.focus,
    section: 'view',
    icon: Search,
    keys: ['Mod+F', '/'],
    whileTyping: true,
    screens: filteredScreens,
    enabled: always,
    run: () => document.querySelector<HTMLInputElement>('.filter-search input')?.focus(),
  },
  {
    id: 'view.selectAll',
    title: words.grid.pickAll,
    section: 'view',
    icon: CheckCheck,
    keys: ['Mod+A'],
    screens: [...filteredScreens, 'periods'],
    enabled: ({ grid }) => ((grid?.state.getState().total ?? 0) > 0 ? true : words.grid.nothingListed),
    run: ({ grid }) => grid?.selectAll(),
  },
  {
    id: 'view.clearFilter',
    title: words.filters.clear,
    section: 'view',
    icon: X,
    screens: filteredScreens,
    enabled: ({ route, filters }) =>
      Object.keys(filters[route.screen as FilteredScreen] ?? {}).length > 0
        ? true
        : words.filters.nothingToClear,
    run: ({ route }) => setFilter(route.screen as FilteredScreen, {}),
  },
  {
    id: 'view.save',
    title: words.filters.saveView,
    section: 'view',
    screens: filteredScreens,
    enabled: ({ route, filters }) =>
      Object.keys(filters[route.screen as FilteredScreen] ?? {}).length > 0
        ? true
        : words.filters.nothingToSave,
    run: ({ route }) => openDialog({ kind: 'saveView', screen: route.screen as FilteredScreen }),
  },
  {
    id: 'view.expand',
    title: words.frame.expand,
    section: 'view',
    icon: Maximize2,
    keys: ['F'],
    screens: details,
    enabled: ({ route }) => (route.item === null ? words.frame.nothingOpen : true),
    run: () => setExpanded(!useView.getState().expanded),
  },
  {
    id: 'view.closeDetail',
    title: words.frame.closeDetail,
    section: 'view',
    icon: PanelRightClose,
    keys: ['Escape'],
    screens: [...filteredScreens, 'periods', 'backups', 'replays'],
    enabled: ({ route }) => (route.item === null ? words.frame.nothingOpen : true),
    run: () =>
      useView.getState().expanded ? setExpanded(false) : go({ item: behind(useView.getState().route) }),
  },
  ...themeCommands,
  ...densityCommands,
  {
    id: 'help.palette',
    title: words.palette.open,
    section: 'help',
    icon: CircleHelp,
    keys: ['Mod+K'],
    whileTyping: true,
    enabled: always,
    run: () => openDialog({ kind: 'palette' }),
  },
  {
    id: 'help.keys',
    title: words.palette.keys,
    section: 'help',
    icon: Keyboard,
    keys: ['?'],
    enabled: always,
    run: () => openDialog({ kind: 'keys' }),
  },
];
