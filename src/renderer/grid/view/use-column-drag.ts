import { useRef, useState } from 'react';

/** Distance in px that the pointer moves before a press on a header becomes a drag. Chosen by judgment. */
const DRAG_THRESHOLD_PX = 6;

/** Column that is being dragged and the column that it would replace, by index. */
export interface ColumnDrag {
  readonly from: number;
  readonly to: number;
}

/** Returns the current drag of a column header and the handlers that move a column with the pointer. */
export function useColumnDrag(move: (drag: ColumnDrag) => void) {
  const start = useRef<{ readonly x: number; readonly index: number } | null>(null);
  const hasDragged = useRef(false);
  const [drag, setDrag] = useState<ColumnDrag | null>(null);
  const end = () => {
    start.current = null;
    setDrag(null);
  };
  return {
    drag,
    handlersOf: (index: number) => ({
      onPointerDown(event: React.PointerEvent) {
        hasDragged.current = false;
        const isHandle = (event.target as Element).closest('.grid-resize-handle, .grid-header-menu') !== null;
        if (event.button === 0 && !isHandle) start.current = { x: event.clientX, index };
      },
      onPointerMove(event: React.PointerEvent) {
        if (start.current === null) return;
        if (!hasDragged.current && Math.abs(event.clientX - start.current.x) < DRAG_THRESHOLD_PX) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        hasDragged.current = true;
        const to = findHeaderAt(event.currentTarget, event.clientX) ?? start.current.index;
        setDrag({ from: start.current.index, to });
      },
      onPointerUp() {
        if (drag && drag.from !== drag.to) move(drag);
        end();
      },
      onPointerCancel: end,
      /** Prevents the click after a drag from sorting the list. */
      onClickCapture(event: React.MouseEvent) {
        if (hasDragged.current) event.stopPropagation();
        hasDragged.current = false;
      },
    }),
  };
}

/** Returns the index of the column header at a horizontal position in the window, or null if there is none. */
function findHeaderAt(header: Element, x: number): number | null {
  const cells = [...(header.parentElement?.querySelectorAll('[role=columnheader]') ?? [])];
  const index = cells.findIndex((cell) => {
    const { left, right } = cell.getBoundingClientRect();
    return x >= left && x < right;
  });
  return index < 0 ? null : index;
}
