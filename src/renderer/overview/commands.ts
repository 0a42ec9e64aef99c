import { ChevronLeft, ChevronRight, ClipboardCheck } from 'lucide-react';
import { addMonths } from '../../domain/ledger/periods.ts';
import { type Command, createCommandFactory, requireSite } from '../commands/command.ts';
import { announceToScreenReader, selectTab, useWindowState } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { ALL_TIME, CHOSEN_PERIOD_STATE_KEY, SHOWN_PERIOD_STATE_KEY } from './shown-period.ts';

const text = texts.overview;

function shownMonth(): string | null {
  const period = useWindowState.getState().tabs[SHOWN_PERIOD_STATE_KEY];
  return period === undefined || period === ALL_TIME ? null : period;
}

function showMonthAfter(by: 1 | -1): void {
  const month = shownMonth();
  if (month) selectTab(CHOSEN_PERIOD_STATE_KEY, addMonths(month, by));
}

const defineMonthCommand = createCommandFactory({
  section: 'view',
  screens: ['overview'],
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
  defineMonthCommand({ id: 'overview.previous', title: text.previous, icon: ChevronLeft, keys: ['['] }, () =>
    showMonthAfter(-1),
  ),
  defineMonthCommand({ id: 'overview.next', title: text.next, icon: ChevronRight, keys: [']'] }, () =>
    showMonthAfter(1),
  ),
];
