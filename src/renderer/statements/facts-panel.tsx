import { Copy } from 'lucide-react';
import { type ComponentProps, useRef } from 'react';
import { Button } from '../controls/button.tsx';
import { Panel } from '../controls/panel.tsx';
import { FactList } from '../controls/values.tsx';
import { type CopyTable, copyTableWithNotice, handleCopyEvent } from '../grid/clipboard/copy-table.ts';
import { texts } from '../texts/texts.ts';

interface FactsPanelProps {
  readonly title: string;
  readonly rows: ComponentProps<typeof FactList>['rows'];
}

/** Panel of labeled values. They can be copied as a table with two columns. */
export function FactsPanel({ title, rows }: FactsPanelProps) {
  const container = useRef<HTMLElement>(null);
  const table = (): CopyTable => [
    [{ text: title }, { text: '' }],
    ...[...(container.current?.querySelectorAll('dl > div') ?? [])].map((row) => [
      { text: row.querySelector('dt')?.textContent ?? '' },
      { text: row.querySelector('dd')?.innerText ?? '' },
    ]),
  ];
  return (
    <section
      ref={container}
      aria-label={texts.grid.tableOf(title)}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: the table is copied with the keyboard
      tabIndex={0}
      onCopy={(event) => handleCopyEvent(event, table)}
    >
      <Panel
        title={title}
        aside={
          <Button
            kind="quiet"
            size="small"
            icon={Copy}
            label={texts.grid.copyTable}
            onPress={() => void copyTableWithNotice(table())}
          />
        }
      >
        <FactList rows={rows} />
      </Panel>
    </section>
  );
}
