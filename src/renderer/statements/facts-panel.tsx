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

/** Names and values under a title, copied as a table of two columns as they are read. */
export function FactsPanel({ title, rows }: FactsPanelProps) {
  const box = useRef<HTMLElement>(null);
  const table = (): CopyTable => [
    [{ text: title }, { text: '' }],
    ...[...(box.current?.querySelectorAll('dl > div') ?? [])].map((row) => [
      { text: row.querySelector('dt')?.textContent ?? '' },
      { text: row.querySelector('dd')?.innerText ?? '' },
    ]),
  ];
  return (
    <section
      ref={box}
      aria-label={texts.grid.tableOf(title)}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it is copied by keys
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
