/** Action that a key press triggers in a grid. The `edge` action moves to the first or last row. */
export type GridKeyAction =
  | { readonly kind: 'move'; readonly by: number; readonly extend: boolean }
  | { readonly kind: 'page'; readonly by: -1 | 1; readonly extend: boolean }
  | { readonly kind: 'edge'; readonly end: boolean; readonly extend: boolean }
  | { readonly kind: 'column'; readonly by: -1 | 1 }
  | { readonly kind: 'toggle' | 'open' | 'escape' | 'selectAll' | 'copy' | 'menu' | 'jump' };

interface KeyPress {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** Returns the action for a key press, or null if the grid does not handle the key. */
export function getGridKeyAction(press: KeyPress): GridKeyAction | null {
  if (press.altKey) return null;
  const extend = press.shiftKey;
  if (press.ctrlKey || press.metaKey) return controlKeyAction(press.key, extend);
  switch (press.key) {
    case 'ArrowDown':
    case 'j':
    case 'J':
      return { kind: 'move', by: 1, extend };
    case 'ArrowUp':
    case 'k':
    case 'K':
      return { kind: 'move', by: -1, extend };
    case 'PageDown':
      return { kind: 'page', by: 1, extend };
    case 'PageUp':
      return { kind: 'page', by: -1, extend };
    case 'Home':
      return { kind: 'edge', end: false, extend };
    case 'End':
      return { kind: 'edge', end: true, extend };
    case 'ArrowLeft':
      return { kind: 'column', by: -1 };
    case 'ArrowRight':
      return { kind: 'column', by: 1 };
    case ' ':
    case 'x':
      return { kind: 'toggle' };
    case 'Enter':
      return { kind: 'open' };
    case 'Escape':
      return { kind: 'escape' };
    case 'ContextMenu':
      return { kind: 'menu' };
    case 'F10':
      return extend ? { kind: 'menu' } : null;
    default:
      return null;
  }
}

function controlKeyAction(key: string, extend: boolean): GridKeyAction | null {
  switch (key) {
    case 'a':
      return { kind: 'selectAll' };
    case 'c':
      return { kind: 'copy' };
    case 'g':
      return { kind: 'jump' };
    case 'Home':
      return { kind: 'edge', end: false, extend };
    case 'End':
      return { kind: 'edge', end: true, extend };
    default:
      return null;
  }
}
