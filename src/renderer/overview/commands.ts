import { ChevronLeft, ChevronRight, ClipboardCheck } from 'lucide-react';
import { monthAfter } from '../../domain/ledger/periods.ts';
import type { Command } from '../commands/command.ts';
import { say, setTab, useView } from '../view/view.ts';
import { words } from '../words/words.ts';
import { ALL, CHOSEN, SHOWN } from './use-periods.ts';

const text = words.overview;

function shownMonth(): string | null {
  const period = useView.getState().tabs[SHOWN];
  return period === undefined || period === ALL ? null : period;
}

function toMonth(by: 1 | -1): void {
  const month = shownMonth();
  if (month) setTab(CHOSEN, monthAfter(month, by));
}

export const overviewCommands: readonly Command[] = [
  {
    id: 'check.start',
    title: text.check,
    section: 'exceptions',
    icon: ClipboardCheck,
    keys: ['Shift+C'],
    enabled: ({ site }) => (site ? true : words.frame.noSite),
    async run({ client, site }) {
      if (!site) return;
      await client.check.start({ site: site.site });
      say(text.checkStarted);
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
    run: () => toMonth(-1),
  },
  {
    id: 'overview.next',
    title: text.next,
    section: 'view',
    icon: ChevronRight,
    keys: [']'],
    screens: ['overview'],
    enabled: () => (shownMonth() ? true : text.noMonth),
    run: () => toMonth(1),
  },
];
