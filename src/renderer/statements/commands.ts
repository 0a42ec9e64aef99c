import { ChevronLeft, ChevronRight, Columns2, FileText, Receipt } from 'lucide-react';
import type { Command, CommandContext } from '../commands/command.ts';
import { navigate, openFilteredScreen, selectTab, showNotice } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { toComparisonItem, toStatementIds } from './statement-route.ts';

const requireOpenStatement = ({ route }: CommandContext): true | string =>
  route.item === null ? texts.statements.noneOpen : true;

async function openNeighbor({ client, site, route }: CommandContext, which: 'previous' | 'next') {
  const open = toStatementIds(route.item);
  if (!site || !open) return;
  const findNeighborOf = async (id: number) => (await client.statements.get({ site: site.site, id }))[which];
  const neighbor = await findNeighborOf(open.id);
  // During a comparison, moves both statements to their neighbors.
  const other = neighbor && open.other !== null ? await findNeighborOf(open.other) : null;
  if (!neighbor || (open.other !== null && !other)) showNotice(texts.statements.noNeighbor[which]);
  else navigate({ item: other ? toComparisonItem(neighbor.id, other.id) : String(neighbor.id) }, true);
}

/**
 * Compares the open statement with the previous one, or with the next one if it is the first. If a comparison is open,
 * ends it.
 */
async function toggleComparison({ client, site, route }: CommandContext): Promise<void> {
  const open = toStatementIds(route.item);
  if (!site || !open) return;
  if (open.other !== null) return navigate({ item: String(open.id) }, true);
  const { previous, next } = await client.statements.get({ site: site.site, id: open.id });
  const other = previous ?? next;
  if (other) navigate({ item: toComparisonItem(open.id, other.id) });
  else showNotice(texts.statements.compareNone);
}

export const statementCommands: readonly Command[] = [
  {
    id: 'statements.pdf',
    title: texts.statements.showPdf,
    section: 'statements',
    icon: FileText,
    keys: ['P'],
    screens: ['statements'],
    enabled: requireOpenStatement,
    run: () => selectTab('statement', 'pdf'),
  },
  {
    id: 'statements.compare',
    title: texts.statements.compare,
    section: 'statements',
    icon: Columns2,
    keys: ['C'],
    screens: ['statements'],
    enabled: requireOpenStatement,
    run: toggleComparison,
  },
  {
    id: 'statements.previous',
    title: texts.statements.previous,
    section: 'statements',
    icon: ChevronLeft,
    keys: ['['],
    screens: ['statements'],
    enabled: requireOpenStatement,
    run: (context) => openNeighbor(context, 'previous'),
  },
  {
    id: 'statements.next',
    title: texts.statements.next,
    section: 'statements',
    icon: ChevronRight,
    keys: [']'],
    screens: ['statements'],
    enabled: requireOpenStatement,
    run: (context) => openNeighbor(context, 'next'),
  },
  {
    id: 'statements.unpaid',
    title: texts.statements.showUnpaid,
    section: 'statements',
    icon: Receipt,
    enabled: ({ site }) => (site ? true : texts.frame.noSite),
    run: () => openFilteredScreen('statements', { state: ['unpaid'] }),
  },
];
