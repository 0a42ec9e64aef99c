import { ArrowDown, ArrowUp, Columns3, RotateCcw } from 'lucide-react';
import { Button } from '../../controls/button.tsx';
import { ToggleSwitch } from '../../controls/form-fields.tsx';
import { Popover } from '../../controls/popover.tsx';
import { texts } from '../../texts/texts.ts';
import { type ColumnLayout, changeUserSetting, useUserSettings } from '../../user-settings/user-settings.ts';
import {
  applyColumnLayout,
  type GridColumn,
  getColumnLayout,
  moveColumn,
  setColumnShown,
} from './column-layout.ts';

interface ColumnChooserProps<Row> {
  readonly name: string;
  readonly columns: readonly GridColumn<Row>[];
}

/** Popover for showing, hiding, and reordering columns. */
export function ColumnChooser<Row>({ name, columns }: ColumnChooserProps<Row>) {
  const stored = useUserSettings((settings) => settings.columns[name]);
  const layout = getColumnLayout(columns, stored);
  const { all } = applyColumnLayout(columns, stored);
  const change = (next: ColumnLayout) => storeColumnLayout(name, next);
  const reset = () => {
    const { [name]: _, ...others } = useUserSettings.getState().columns;
    changeUserSetting('columns', others);
  };
  return (
    <Popover
      label={texts.grid.columns}
      placement="bottom end"
      trigger={
        <Button kind="quiet" icon={Columns3}>
          {texts.grid.columns}
        </Button>
      }
    >
      <div className="column-chooser">
        {all.map((column, index) => (
          <div key={column.id} className="column-chooser-row">
            <ToggleSwitch
              on={!layout.hidden.includes(column.id)}
              onChange={(on) => change(setColumnShown(layout, column.id, on))}
            >
              {column.title}
            </ToggleSwitch>
            <Button
              kind="quiet"
              size="small"
              icon={ArrowUp}
              label={texts.grid.moveLeft(column.title)}
              disabledReason={index === 0 ? texts.grid.isFirst : null}
              onPress={() => change(moveColumn(layout, column.id, -1))}
            />
            <Button
              kind="quiet"
              size="small"
              icon={ArrowDown}
              label={texts.grid.moveRight(column.title)}
              disabledReason={index === all.length - 1 ? texts.grid.isLast : null}
              onPress={() => change(moveColumn(layout, column.id, 1))}
            />
          </div>
        ))}
        <div className="column-chooser-foot">
          <Button kind="quiet" size="small" icon={RotateCcw} onPress={reset}>
            {texts.grid.resetColumns}
          </Button>
        </div>
      </div>
    </Popover>
  );
}

export function storeColumnLayout(name: string, layout: ColumnLayout): void {
  changeUserSetting('columns', { ...useUserSettings.getState().columns, [name]: layout });
}
