import {
  BookCheck,
  CheckCheck,
  ListPlus,
  Lock,
  LockOpen,
  type LucideIcon,
  Send,
  Undo2,
  UserRoundCheck,
} from 'lucide-react';
import type { OpenItem } from '../../contract/index.ts';
import type { Command, CommandContext } from '../commands/command.ts';
import type { Grid } from '../grid/controller.ts';
import { openDialog, type PeriodMove } from '../view/view.ts';
import { words } from '../words/words.ts';
import { useFront } from './front.ts';
import { openPeriod, periodPlace } from './place.ts';

const text = words.periods;

const moves: readonly (readonly [PeriodMove, LucideIcon, string])[] = [
  ['submit', Send, 'Shift+P'],
  ['approve', UserRoundCheck, 'Shift+A'],
  ['reject', Undo2, 'Shift+B'],
  ['close', Lock, 'Shift+L'],
  ['reopen', LockOpen, 'Shift+O'],
];

function periodOf({ route }: CommandContext): string | null {
  return route.screen === 'periods' ? (periodPlace(route.item)?.period ?? null) : null;
}

function allowed(context: CommandContext, move: PeriodMove): true | string {
  const period = periodOf(context);
  const inFront = useFront.getState().period;
  if (period === null || inFront?.period !== period) return text.move.noPeriod;
  return inFront.moves.includes(move) ? true : text.move.notNow(text.states[inFront.state]);
}

const moveCommands: Command[] = moves.map(([move, icon, key]) => ({
  id: `periods.${move}`,
  title: text.moves[move].button,
  section: 'periods',
  icon,
  keys: [key],
  screens: ['periods'],
  enabled: (context) => allowed(context, move),
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
    enabled: ({ site }) => (site ? true : words.frame.noSite),
    async run({ client, site }) {
      if (!site) return;
      const { periods, due } = await client.periods.list({ site: site.site });
      const worked = periods.find(({ state }) => state !== 'closed') ?? periods[0];
      const period = worked?.period ?? due;
      if (period !== null && period !== undefined) openPeriod(period);
    },
  },
  ...moveCommands,
  {
    id: 'periods.explain',
    title: text.items.explain,
    section: 'periods',
    icon: ListPlus,
    keys: ['E'],
    screens: ['periods'],
    enabled: (context) => {
      if (useFront.getState().period?.state === 'closed') return text.items.closed;
      return (itemsOf(context)?.count() ?? 0) > 0 ? true : text.items.nothingChosen;
    },
    async run(context) {
      const period = periodOf(context);
      const items = (await itemsOf(context)?.selectedRows(MOST)) ?? [];
      if (period !== null && items.length > 0) openDialog({ kind: 'explainItems', period, items });
    },
  },
  {
    id: 'periods.settings',
    title: text.settings.title,
    section: 'periods',
    icon: CheckCheck,
    screens: ['periods'],
    enabled: ({ site }) => (site ? true : words.frame.noSite),
    run: () => openDialog({ kind: 'workpaperSettings' }),
  },
];

/** As many as one call takes. */
const MOST = 1000;

function itemsOf({ route, grid }: CommandContext): Grid<OpenItem> | null {
  const isItems = route.screen === 'periods' && periodPlace(route.item)?.part === 'items';
  return isItems ? (grid as unknown as Grid<OpenItem> | null) : null;
}
