import {
  BookCheck,
  CheckCheck,
  FileUp,
  ListPlus,
  Lock,
  LockOpen,
  type LucideIcon,
  Send,
  Undo2,
  UserRoundCheck,
} from 'lucide-react';
import type { OutstandingItem } from '../../contract/index.ts';
import { type Command, type CommandContext, requireSite } from '../commands/command.ts';
import type { GridController } from '../grid/state/grid-controller.ts';
import { navigate, openDialog, type SignOffStep } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { useUserSettings } from '../user-settings/user-settings.ts';
import { findMonthToClose } from './month-end-steps.ts';
import { openPeriod, parsePeriodRoute } from './shared/period-route.ts';
import { useSelectedPeriod } from './shared/selected-period.ts';
import { ALL_TIME } from './shared/working-month.ts';

const text = texts.periods;

const moves: readonly (readonly [SignOffStep, LucideIcon, string])[] = [
  ['submit', Send, 'Shift+P'],
  ['approve', UserRoundCheck, 'Shift+A'],
  ['reject', Undo2, 'Shift+B'],
  ['close', Lock, 'Shift+L'],
  ['reopen', LockOpen, 'Shift+O'],
];

function periodOf({ route }: CommandContext): string | null {
  return route.screen === 'periods' ? (parsePeriodRoute(route.item)?.period ?? null) : null;
}

function checkSignOffStep(context: CommandContext, move: SignOffStep): true | string {
  const period = periodOf(context);
  const selectedPeriod = useSelectedPeriod.getState().period;
  if (period === null || selectedPeriod?.period !== period) return text.step.noPeriod;
  return selectedPeriod.moves.includes(move) ? true : text.step.notNow(text.states[selectedPeriod.state]);
}

const moveCommands: Command[] = moves.map(([move, icon, key]) => ({
  id: `periods.${move}`,
  title: text.steps[move].button,
  section: 'periods',
  icon,
  keys: [key],
  screens: ['periods'],
  enabled: (context) => checkSignOffStep(context, move),
  run: (context) => {
    const period = periodOf(context);
    if (period !== null) openDialog({ kind: 'periodMove', period, move });
  },
}));

export const periodCommands: readonly Command[] = [
  {
    id: 'periods.due',
    title: text.overview.open,
    section: 'periods',
    icon: BookCheck,
    keys: ['Shift+W'],
    enabled: requireSite,
    async run({ client, site }) {
      if (!site) return;
      const list = await client.periods.list({ site: site.site });
      const working = useUserSettings.getState().months[site.site] ?? null;
      const period = findMonthToClose(list, working === ALL_TIME ? null : working);
      if (period !== null && list.periods.some((row) => row.period === period)) openPeriod(period);
      else navigate({ screen: 'periods', item: null });
    },
  },
  ...moveCommands,
  {
    id: 'periods.importReview',
    title: text.importReview.button,
    section: 'periods',
    icon: FileUp,
    screens: ['periods'],
    enabled: (context) => (checkSignOffStep(context, 'approve') === true ? true : text.importReview.notNow),
    run: () => openDialog({ kind: 'importReview' }),
  },
  {
    id: 'periods.explain',
    title: text.items.explain,
    section: 'periods',
    icon: ListPlus,
    keys: ['E'],
    screens: ['periods'],
    enabled: (context) => {
      if (useSelectedPeriod.getState().period?.state === 'closed') return text.items.closed;
      return (itemsOf(context)?.selectedCount() ?? 0) > 0 ? true : text.items.nothingSelected;
    },
    async run(context) {
      const period = periodOf(context);
      const items = (await itemsOf(context)?.readSelectedRows(MAX_ITEMS_PER_CALL)) ?? [];
      if (period !== null && items.length > 0) openDialog({ kind: 'explainItems', period, items });
    },
  },
  {
    id: 'ledger.import',
    title: texts.generalLedger.import.button,
    section: 'periods',
    icon: FileUp,
    enabled: requireSite,
    run: () => openDialog({ kind: 'importLedger' }),
  },
  {
    id: 'periods.settings',
    title: text.settings.title,
    section: 'periods',
    icon: CheckCheck,
    screens: ['periods'],
    enabled: requireSite,
    run: () => openDialog({ kind: 'workpaperSettings' }),
  },
];

/** Maximum number of items that the backend accepts per call. */
const MAX_ITEMS_PER_CALL = 1000;

function itemsOf({ route, grid }: CommandContext): GridController<OutstandingItem> | null {
  const isItems = route.screen === 'periods' && parsePeriodRoute(route.item)?.part === 'items';
  return isItems ? (grid as unknown as GridController<OutstandingItem> | null) : null;
}
