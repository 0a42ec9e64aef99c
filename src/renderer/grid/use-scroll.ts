import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { Grid, GridState, Page } from './controller.ts';
import { type Geometry, type Rows, rowsInView, scrollShifted, scrollToShow, scrollToTop } from './pages.ts';

/** px of the row of titles, which stays in view. */
const HEADER = 32;

interface Scroll {
  readonly box: RefObject<HTMLDivElement | null>;
  readonly geometry: Geometry;
  readonly scrollTop: number;
  /** The rows in view. */
  readonly inView: Rows;
  onScroll(event: React.UIEvent<HTMLElement>): void;
  /** Brings a row into view, by no more than it takes. */
  show(index: number): void;
}

/** Where in its list a grid stands: follows the scrollbar, the list that begins anew, and rows that come above. */
export function useScroll<Row, P extends Page<Row>>(
  grid: Grid<Row, P>,
  state: GridState<Row, P>,
  rowHeight: number,
): Scroll {
  const box = useRef<HTMLDivElement>(null);
  const [scrollTop, setScrollTop] = useState(0);
  const [height, setHeight] = useState(600);
  const geometry = { total: state.total, row: rowHeight, viewport: Math.max(rowHeight, height - HEADER) };
  const inView = rowsInView(geometry, scrollTop);

  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return;
    const measure = () => setHeight(element.clientHeight);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  // After each drawing: pages that came into view are read, cheaply when there are none.
  useEffect(() => grid.view(inView));

  function scrollTo(to: number): void {
    if (!box.current || to === box.current.scrollTop) return;
    box.current.scrollTop = to;
    setScrollTop(box.current.scrollTop);
  }

  const followed = useRef({ lists: 0, shifts: 0 });
  useLayoutEffect(() => {
    const { lists, shifts } = followed.current;
    followed.current = { lists: state.lists, shifts: state.shifted.serial };
    if (lists !== state.lists) scrollTo(scrollToTop(geometry, state.begins));
    else if (shifts !== state.shifted.serial) {
      scrollTo(scrollShifted(geometry, box.current?.scrollTop ?? 0, state.shifted.rows));
    }
  });

  return {
    box,
    geometry,
    scrollTop,
    inView,
    onScroll: (event) => setScrollTop(event.currentTarget.scrollTop),
    show(index) {
      if (index >= 0) scrollTo(scrollToShow(geometry, box.current?.scrollTop ?? 0, index));
    },
  };
}
