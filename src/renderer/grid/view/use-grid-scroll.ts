import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { GridController, GridState, ListPage } from '../state/grid-controller.ts';
import {
  getRowsInView,
  getScrollTopAfterShift,
  getScrollTopOfRow,
  getScrollTopToShowRow,
  type RowRange,
  type ScrollGeometry,
} from '../state/scroll-geometry.ts';

/** Height of the grid header in px. The header stays visible while the user scrolls. */
const HEADER_HEIGHT_PX = 32;

/** Height of the grid in px that is assumed until it has been measured. */
const ASSUMED_HEIGHT_PX = 600;

interface GridScroll {
  readonly scrollBox: RefObject<HTMLDivElement | null>;
  readonly geometry: ScrollGeometry;
  readonly scrollTop: number;
  readonly visibleRows: RowRange;
  onScroll(event: React.UIEvent<HTMLElement>): void;
  scrollToRow(index: number): void;
}

/** Returns a grid's scroll position. Scrolling, opening a list, and rows inserted above the view change it. */
export function useGridScroll<Row, P extends ListPage<Row>>(
  grid: GridController<Row, P>,
  state: GridState<Row, P>,
  rowHeight: number,
): GridScroll {
  const scrollBox = useRef<HTMLDivElement>(null);
  const [scrollTop, setScrollTop] = useState(0);
  const [height, setHeight] = useState(ASSUMED_HEIGHT_PX);
  const viewportHeight = Math.max(rowHeight, height - HEADER_HEIGHT_PX);
  const geometry = { total: state.total, rowHeight, viewportHeight };
  const visibleRows = getRowsInView(geometry, scrollTop);

  useLayoutEffect(() => {
    const element = scrollBox.current;
    if (!element) return;
    const measure = () => setHeight(element.clientHeight);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  // Runs after every render, because the call is cheap if no page is missing.
  useEffect(() => grid.setVisibleRows(visibleRows));

  function scrollTo(to: number): void {
    const element = scrollBox.current;
    if (!element || to === element.scrollTop) return;
    element.scrollTop = to;
    setScrollTop(element.scrollTop);
  }

  const handledSerials = useRef({ list: 0, shift: 0 });
  useLayoutEffect(() => {
    const { list, shift } = handledSerials.current;
    handledSerials.current = { list: state.listSerial, shift: state.rowShift.serial };
    if (list !== state.listSerial) scrollTo(getScrollTopOfRow(geometry, state.startRow));
    else if (shift !== state.rowShift.serial) {
      scrollTo(getScrollTopAfterShift(geometry, scrollBox.current?.scrollTop ?? 0, state.rowShift.rows));
    }
  });

  return {
    scrollBox,
    geometry,
    scrollTop,
    visibleRows,
    onScroll: (event) => setScrollTop(event.currentTarget.scrollTop),
    scrollToRow(index) {
      if (index >= 0) scrollTo(getScrollTopToShowRow(geometry, scrollBox.current?.scrollTop ?? 0, index));
    },
  };
}
