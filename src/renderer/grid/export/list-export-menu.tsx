import { Download, FileSpreadsheet, FileText, Printer, X } from 'lucide-react';
import { Button } from '../../controls/button.tsx';
import { Menu, type MenuEntry } from '../../controls/menu.tsx';
import { formatCount } from '../../texts/numbers.ts';
import { texts } from '../../texts/texts.ts';
import type { GridController, ListPage } from '../state/grid-controller.ts';
import { exportList, type ListContentReader, useRunningExport } from './export-list.ts';
import { getListContent } from './list-content.ts';
import { printList } from './print-list.tsx';

const text = texts.grid.export;

/** Button that exports or prints the list of a grid. */
export function GridExportMenu<Row, P extends ListPage<Row>>(props: {
  readonly grid: GridController<Row, P>;
}) {
  return <ListExportMenu read={(signal) => getListContent(props.grid, signal)} />;
}

/** Button that exports or prints a list. While an export runs, the button cancels it. */
export function ListExportMenu({ read }: { readonly read: ListContentReader }) {
  const running = useRunningExport((state) => state.running);
  if (running !== null) {
    return (
      <Button kind="quiet" size="small" icon={X} onPress={running.cancel}>
        {text.running(formatCount(running.rows))}
      </Button>
    );
  }
  return (
    <Menu
      label={text.title}
      placement="top end"
      trigger={
        <Button kind="quiet" size="small" icon={Download}>
          {text.title}
        </Button>
      }
      groups={[{ entries: createExportMenuEntries(read) }]}
    />
  );
}

function createExportMenuEntries(read: ListContentReader): readonly MenuEntry[] {
  return [
    { id: 'csv', label: text.csv, icon: FileText, run: () => void exportList(read, 'csv') },
    { id: 'xlsx', label: text.xlsx, icon: FileSpreadsheet, run: () => void exportList(read, 'xlsx') },
    { id: 'print', label: text.print, icon: Printer, run: () => void printList(read) },
  ];
}
