import { ChevronLeft, ChevronRight, Columns2, FileText, Receipt } from 'lucide-react';
import type { Command, CommandContext } from '../commands/command.ts';
import { go, notify, setTab, showFiltered } from '../view/view.ts';
import { words } from '../words/words.ts';
import { comparisonItem, statementsIn } from './place.ts';

const oneOpen = ({ route }: CommandContext): true | string =>
  route.item === null ? words.statements.noneOpen : true;

async function toNeighbour({ client, site, route }: CommandContext, which: 'previous' | 'next') {
  const open = statementsIn(route.item);
  if (!site || !open) return;
  const beside = async (id: number) => (await client.statements.get({ site: site.site, id }))[which];
  const neighbour = await beside(open.id);
  // A comparison goes on as a whole: each of the two by one.
  const other = neighbour && open.other !== null ? await beside(open.other) : null;
  if (!neighbour || (open.other !== null && !other)) notify(words.statements.noNeighbour[which]);
  else go({ item: other ? comparisonItem(neighbour.id, other.id) : String(neighbour.id) }, true);
}

/** Puts the open statement beside the one before it, or the one after it where it is the first; or ends that. */
async function compare({ client, site, route }: CommandContext): Promise<void> {
  const open = statementsIn(route.item);
  if (!site || !open) return;
  if (open.other !== null) return go({ item: String(open.id) }, true);
  const { previous, next } = await client.statements.get({ site: site.site, id: open.id });
  const other = previous ?? next;
  if (other) go({ item: comparisonItem(open.id, other.id) });
  else notify(words.statements.compareNone);
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
    id: 'statements.compare',
    title: words.statements.compare,
    section: 'statements',
    icon: Columns2,
    keys: ['C'],
    screens: ['statements'],
    enabled: oneOpen,
    run: compare,
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
