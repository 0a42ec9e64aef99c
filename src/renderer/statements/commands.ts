import { ChevronLeft, ChevronRight, Columns2, FileText, Receipt } from 'lucide-react';
import { type Command, type CommandContext, createCommandFactory, requireSite } from '../commands/command.ts';
import { navigate, openFilteredList, selectTab, showNotice } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { formatComparisonRouteItem, parseStatementRouteItem } from './statement-route.ts';

const requireOpenStatement = ({ route }: CommandContext): true | string =>
  route.item === null ? texts.statements.noneOpen : true;

async function openNeighbor({ client, site, route }: CommandContext, which: 'previous' | 'next') {
  const open = parseStatementRouteItem(route.item);
  if (!site || !open) return;
  const findNeighborOf = async (id: number) => (await client.statements.get({ site: site.site, id }))[which];
  const neighbor = await findNeighborOf(open.id);
  // During a comparison, moves both statements to their neighbors.
  const other = neighbor && open.other !== null ? await findNeighborOf(open.other) : null;
  if (!neighbor || (open.other !== null && !other)) showNotice(texts.statements.noNeighbor[which]);
  else
    navigate({ item: other ? formatComparisonRouteItem(neighbor.id, other.id) : String(neighbor.id) }, true);
}

/** Compares the open statement with its predecessor, or else its successor. Closes an open comparison. */
async function toggleComparison({ client, site, route }: CommandContext): Promise<void> {
  const open = parseStatementRouteItem(route.item);
  if (!site || !open) return;
  if (open.other !== null) return navigate({ item: String(open.id) }, true);
  const { previous, next } = await client.statements.get({ site: site.site, id: open.id });
  const other = previous ?? next;
  if (other) navigate({ item: formatComparisonRouteItem(open.id, other.id) });
  else showNotice(texts.statements.compareNone);
}

const defineCommand = createCommandFactory({
  section: 'statements',
  screens: ['statements'],
  enabled: requireOpenStatement,
});

export const statementCommands: readonly Command[] = [
  defineCommand({ id: 'statements.pdf', title: texts.statements.showPdf, icon: FileText, keys: ['P'] }, () =>
    selectTab('statement', 'pdf'),
  ),
  defineCommand(
    { id: 'statements.compare', title: texts.statements.compare, icon: Columns2, keys: ['C'] },
    toggleComparison,
  ),
  defineCommand(
    { id: 'statements.previous', title: texts.statements.previous, icon: ChevronLeft, keys: ['['] },
    (context) => openNeighbor(context, 'previous'),
  ),
  defineCommand(
    { id: 'statements.next', title: texts.statements.next, icon: ChevronRight, keys: [']'] },
    (context) => openNeighbor(context, 'next'),
  ),
  {
    id: 'statements.unpaid',
    title: texts.statements.showUnpaid,
    section: 'statements',
    icon: Receipt,
    enabled: requireSite,
    run: () => openFilteredList('statements', { state: ['unpaid'] }),
  },
];
