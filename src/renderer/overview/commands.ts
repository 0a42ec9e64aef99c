import { ChevronLeft, ChevronRight, ClipboardCheck } from 'lucide-react';
import { addMonths } from '../../domain/ledger/periods.ts';
import type { Command } from '../commands/command.ts';
import { announce, selectTab, useWindowState } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { ALL_TIME, CHOSEN_PERIOD_KEY, SHOWN_PERIOD_KEY } from './shown-period.ts';

const text = texts.overview;

function shownMonth(): string | null {
  const period = useWindowState.getState().tabs[SHOWN_PERIOD_KEY];
  return period === undefined || period === ALL_TIME ? null : period;
}

function showMonthAfter(by: 1 | -1): void {
  const month = shownMonth();
  if (month) selectTab(CHOSEN_PERIOD_KEY, addMonths(month, by));
}

export const overviewCommands: readonly Command[] = [
  {
    id: 'check.start',
    title: text.check,
    section: 'exceptions',
    icon: ClipboardCheck,
    keys: ['Shift+C'],
    enabled: ({ site }) => (site ? true : texts.frame.noSite),
    async run({ client, site }) {
      if (!site) return;
      await client.check.start({ site: site.site });
      announce(text.checkStarted);
    },
  },
  {
    id: 'overview.previous',
    title: text.previous,
    section: 'view',
    icon: ChevronLeft,
    keys: ['['],
    screens: ['overview'],
    enabled: () => (shownMonth() ? true : text.noMonth),
    run: () => showMonthAfter(-1),
  },
  {
    id: 'overview.next',
    title: text.next,
    section: 'view',
    icon: ChevronRight,
    keys: [']'],
    screens: ['overview'],
    enabled: () => (shownMonth() ? true : text.noMonth),
    run: () => showMonthAfter(1),
  },
];
