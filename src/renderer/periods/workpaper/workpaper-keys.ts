import { type RefObject, useEffect } from 'react';

const LINES = '.sheet-table .link';

/**
 * Moves through the workpaper's lines with Up, Down, Home, and End, and to the rows of the open figure with Right.
 * With Tab alone, users would have to press a key for every line.
 */
export function useWorkpaperKeys(page: RefObject<HTMLElement | null>, ready: boolean): void {
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
          : lines[nextLineIndex(event.key, here, lines.length)];
      if (!to || to === event.target) return;
      event.preventDefault();
      to.focus();
    };
    sheet.addEventListener('keydown', press);
    return () => sheet.removeEventListener('keydown', press);
  }, [page, ready]);
}

function nextLineIndex(key: string, here: number, count: number): number {
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

/** Moves the focus from the rows of a figure back to the figure's line. */
export function focusSelectedWorkpaperLine(): void {
  document.querySelector<HTMLElement>('.sheet-here .link')?.focus();
}
