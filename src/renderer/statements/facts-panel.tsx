import { Copy } from 'lucide-react';
import { type ComponentProps, useRef } from 'react';
import { Button } from '../controls/button.tsx';
import { Panel } from '../controls/pieces.tsx';
import { Facts } from '../controls/values.tsx';
import { copyTable, onCopyTable, type Table } from '../grid/table.ts';
import { words } from '../words/words.ts';

interface FactsPanelProps {
  readonly title: string;
  readonly rows: ComponentProps<typeof Facts>['rows'];
}

/** Names and values under a title, copied as a table of two columns as they are read. */
export function FactsPanel({ title, rows }: FactsPanelProps) {
  const box = useRef<HTMLElement>(null);
  const table = (): Table => [
    [{ text: title }, { text: '' }],
    ...[...(box.current?.querySelectorAll('dl > div') ?? [])].map((row) => [
      { text: row.querySelector('dt')?.textContent ?? '' },
      { text: row.querySelector('dd')?.innerText ?? '' },
    ]),
  ];
  return (
    <section
      ref={box}
      aria-label={words.grid.tableOf(title)}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is copied by keys
      tabIndex={0}
      onCopy={(event) => onCopyTable(event, table)}
    >
      <Panel
        title={title}
        aside={
          <Button
            kind="quiet"
            size="small"
            icon={Copy}
            label={words.grid.copyTable}
            onPress={() => void copyTable(table())}
          />
        }
      >
        <Facts rows={rows} />
      </Panel>
    </section>
  );
}
