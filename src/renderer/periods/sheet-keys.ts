import { type RefObject, useEffect } from 'react';

const LINES = '.sheet-table .link';

/**
 * Keys of the sheet: up and down go from line to line, Home and End to the first and the last, right goes into the rows of the figure
 * that is open beside it. The sheet has more lines than anybody wants to press Tab for.
 */
export function useSheetKeys(page: RefObject<HTMLElement | null>, ready: boolean): void {
  useEffect(() => {
    const sheet = page.current;
    if (!ready || sheet === null) return;
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      const lines = [...sheet.querySelectorAll<HTMLElement>(LINES)];
      const here = lines.indexOf(event.target as HTMLElement);
      if (here < 0) return;
      const to =
        event.key === 'ArrowRight'
          ? document.querySelector<HTMLElement>('main [role="grid"]')
          : lines[placeAfter(event.key, here, lines.length)];
      if (!to || to === event.target) return;
      event.preventDefault();
      to.focus();
    };
    sheet.addEventListener('keydown', press);
    return () => sheet.removeEventListener('keydown', press);
  }, [page, ready]);
}

function placeAfter(key: string, here: number, count: number): number {
  switch (key) {
    case 'ArrowDown':
      return Math.min(here + 1, count - 1);
    case 'ArrowUp':
      return Math.max(here - 1, 0);
    case 'Home':
      return 0;
    case 'End':
      return count - 1;
    default:
      return here;
  }
}

/** Back from the rows of a figure to its line. */
export function focusOpenLine(): void {
  document.querySelector<HTMLElement>('.sheet-here .link')?.focus();
}
