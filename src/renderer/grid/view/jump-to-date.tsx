import { useRef, useState } from 'react';
import { Dialog, Popover } from 'react-aria-components';
import { Button } from '../../controls/button.tsx';
import { showNotice } from '../../navigation/window-state.ts';
import { texts } from '../../texts/texts.ts';
import type { GridColumn } from '../columns/column-layout.ts';
import type { ListSort } from '../columns/use-list-sort.ts';
import type { GridController, ListPage } from '../state/grid-controller.ts';

const text = texts.grid.jump;

interface JumpToDateProps {
  readonly at: { readonly x: number; readonly y: number };
  readonly onJump: (day: string) => void;
  readonly onClose: () => void;
}

/** Popover that asks for a date to jump to. */
export function JumpToDate({ at, onJump, onClose }: JumpToDateProps) {
  const anchor = useRef<HTMLSpanElement>(null);
  const [day, setDay] = useState('');
  return (
    <>
      <span ref={anchor} className="cell-menu-anchor" style={{ left: at.x, top: at.y }} />
      <Popover
        className="popover"
        triggerRef={anchor}
        isOpen
        onOpenChange={(isOpen) => !isOpen && onClose()}
        placement="bottom start"
        offset={2}
      >
        <Dialog className="popover-dialog" aria-label={text.title}>
          <form
            className="jump-to-date"
            onSubmit={(event) => {
              event.preventDefault();
              if (day !== '') onJump(day);
            }}
          >
            <label className="field">
              <span>{text.date}</span>
              <input
                className="input"
                type="date"
                autoFocus
                value={day}
                onChange={(event) => setDay(event.target.value)}
              />
            </label>
            <Button kind="primary" size="small" type="submit">
              {text.go}
            </Button>
          </form>
        </Dialog>
      </Popover>
    </>
  );
}

/** Moves to the first row on or beyond a day (YYYY-MM-DD) in a list sorted by a column of dates. */
export async function jumpToDay<Row, P extends ListPage<Row>>(
  grid: GridController<Row, P>,
  { column, sort }: { readonly column: GridColumn<Row>; readonly sort: ListSort },
  day: string,
): Promise<number | null> {
  const isDescending = sort.direction === 'desc';
  const index = await grid.findSortedIndex(isDescending, (row) => {
    const rowDay = column.dayOf?.(row) ?? null;
    if (rowDay === null) return null;
    return isDescending ? rowDay <= day : rowDay >= day;
  });
  if (index === null) showNotice(text.none);
  else grid.moveToRow(index);
  return index;
}
