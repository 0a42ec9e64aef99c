import { ArrowDown, ArrowUp, Columns3, RotateCcw } from 'lucide-react';
import { Button } from '../controls/button.tsx';
import { Toggle } from '../controls/field.tsx';
import { Popover } from '../controls/overlay.tsx';
import { type ColumnLayout, choose, useChosen } from '../settings/chosen.ts';
import { words } from '../words/words.ts';
import { type Column, layoutNow, layoutOf, withMoved, withShown } from './columns.ts';

interface ColumnChooserProps<Row> {
  readonly name: string;
  readonly columns: readonly Column<Row>[];
}

/** Which columns are shown, and in what order; remembered by the grid's name. */
export function ColumnChooser<Row>({ name, columns }: ColumnChooserProps<Row>) {
  const chosen = useChosen((all) => all.columns[name]);
  const layout = layoutNow(columns, chosen);
  const { all } = layoutOf(columns, chosen);
  const change = (next: ColumnLayout) => choose('columns', { ...useChosen.getState().columns, [name]: next });
  const reset = () => {
    const { [name]: _, ...others } = useChosen.getState().columns;
    choose('columns', others);
  };
  const hidden = layout.hidden.length;
  return (
    <Popover
      label={words.grid.columns}
      placement="bottom end"
      trigger={
        <Button kind="quiet" icon={Columns3} label={words.grid.columns}>
          {hidden > 0 ? words.grid.hiddenColumns(hidden) : words.grid.columns}
        </Button>
      }
    >
      <div className="chooser">
        {all.map((column, place) => (
          <div key={column.id} className="chooser-row">
            <Toggle
              on={!layout.hidden.includes(column.id)}
              onChange={(on) => change(withShown(layout, column.id, on))}
            >
              {column.title}
            </Toggle>
            <Button
              kind="quiet"
              size="small"
              icon={ArrowUp}
              label={words.grid.moveLeft(column.title)}
              reason={place === 0 ? words.grid.isFirst : null}
              onPress={() => change(withMoved(layout, column.id, -1))}
            />
            <Button
              kind="quiet"
              size="small"
              icon={ArrowDown}
              label={words.grid.moveRight(column.title)}
              reason={place === all.length - 1 ? words.grid.isLast : null}
              onPress={() => change(withMoved(layout, column.id, 1))}
            />
          </div>
        ))}
        <div className="chooser-foot">
          <Button kind="quiet" size="small" icon={RotateCcw} onPress={reset}>
            {words.grid.resetColumns}
          </Button>
        </div>
      </div>
    </Popover>
  );
}
