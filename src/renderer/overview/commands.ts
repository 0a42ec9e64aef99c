import { ChevronLeft, ChevronRight, ClipboardCheck } from 'lucide-react';
import { addMonths } from '../../domain/ledger/periods.ts';
import { type Command, type CommandContext, createCommandFactory, requireSite } from '../commands/command.ts';
import { announceToScreenReader, useWindowState } from '../navigation/window-state.ts';
import { ALL_TIME, chooseWorkingMonth, SHOWN_MONTH_STATE_KEY } from '../periods/shared/working-month.ts';
import { texts } from '../texts/texts.ts';

const text = texts.overview;

function shownMonth(): string | null {
  const period = useWindowState.getState().tabs[SHOWN_MONTH_STATE_KEY];
  return period === undefined || period === ALL_TIME ? null : period;
}

function showMonthAfter({ site }: CommandContext, by: 1 | -1): void {
  const month = shownMonth();
  if (site && month) chooseWorkingMonth(site.site, addMonths(month, by));
}

const defineMonthCommand = createCommandFactory({
  section: 'view',
  screens: ['overview', 'periods'],
  enabled: () => (shownMonth() ? true : text.noMonth),
});

export const overviewCommands: readonly Command[] = [
  {
    id: 'check.start',
    title: text.check,
    section: 'exceptions',
    icon: ClipboardCheck,
    keys: ['Shift+C'],
    enabled: requireSite,
    async run({ client, site }) {
      if (!site) return;
      await client.check.start({ site: site.site });
      announceToScreenReader(text.checkStarted);
    },
  },
  defineMonthCommand(
    { id: 'overview.previous', title: text.previous, icon: ChevronLeft, keys: ['['] },
    (context) => showMonthAfter(context, -1),
  ),
  defineMonthCommand({ id: 'overview.next', title: text.next, icon: ChevronRight, keys: [']'] }, (context) =>
    showMonthAfter(context, 1),
  ),
];
