import { FileSpreadsheet, FileText, Printer } from 'lucide-react';
import { type Command, type CommandContext, createCommandFactory } from '../../commands/command.ts';
import { texts } from '../../texts/texts.ts';
import { useGridRegistry } from '../lists/use-grid.ts';
import { exportList, type ListContentReader } from './export-list.ts';
import { getListContent } from './list-content.ts';
import { printList } from './print-list.tsx';

const text = texts.grid.export;

/** Returns the list of the current screen, or its first list if the screen has several. */
const findGrid = ({ grid }: Pick<CommandContext, 'grid'>) =>
  grid ?? Object.values(useGridRegistry.getState()).find((known) => known.shownList() !== null) ?? null;

const readerOf =
  (context: CommandContext): ListContentReader =>
  (signal) => {
    const grid = findGrid(context);
    return grid && getListContent(grid, signal);
  };

const listCommand = createCommandFactory({
  section: 'view',
  enabled: (context) => findGrid(context) !== null || text.noList,
});

/** Commands that export or print the list of the current screen. */
export const exportCommands: readonly Command[] = [
  listCommand({ id: 'list.csv', title: text.exportAs('CSV'), icon: FileText }, (context) =>
    exportList(readerOf(context), 'csv'),
  ),
  listCommand({ id: 'list.xlsx', title: text.exportAs('Excel'), icon: FileSpreadsheet }, (context) =>
    exportList(readerOf(context), 'xlsx'),
  ),
  listCommand({ id: 'list.print', title: text.printList, icon: Printer }, (context) =>
    printList(readerOf(context)),
  ),
];
