import { ChevronLeft, ChevronRight, FileText, Receipt } from 'lucide-react';
import type { Command, CommandContext } from '../commands/command.ts';
import { go, notify, setTab, showFiltered } from '../view/view.ts';
import { words } from '../words/words.ts';

const oneOpen = ({ route }: CommandContext): true | string =>
  route.item === null ? words.statements.noneOpen : true;

async function toNeighbour({ client, site, route }: CommandContext, which: 'previous' | 'next') {
  if (!site || route.item === null) return;
  const { [which]: neighbour } = await client.statements.get({ site: site.site, id: Number(route.item) });
  if (neighbour) go({ item: String(neighbour.id) }, true);
  else notify(words.statements.noNeighbour[which]);
}

export const statementCommands: readonly Command[] = [
  {
    id: 'statements.pdf',
    title: words.statements.showPdf,
    section: 'statements',
    icon: FileText,
    keys: ['P'],
    screens: ['statements'],
    enabled: oneOpen,
    run: () => setTab('statement', 'pdf'),
  },
  {
    id: 'statements.previous',
    title: words.statements.previous,
    section: 'statements',
    icon: ChevronLeft,
    keys: ['['],
    screens: ['statements'],
    enabled: oneOpen,
    run: (context) => toNeighbour(context, 'previous'),
  },
  {
    id: 'statements.next',
    title: words.statements.next,
    section: 'statements',
    icon: ChevronRight,
    keys: [']'],
    screens: ['statements'],
    enabled: oneOpen,
    run: (context) => toNeighbour(context, 'next'),
  },
  {
    id: 'statements.unpaid',
    title: words.statements.showUnpaid,
    section: 'statements',
    icon: Receipt,
    enabled: ({ site }) => (site ? true : words.frame.noSite),
    run: () => showFiltered('statements', { state: ['unpaid'] }),
  },
];
