/** What a key means in a grid. */
export type GridAction =
  | { readonly kind: 'move'; readonly by: number; readonly extend: boolean }
  | { readonly kind: 'page'; readonly by: -1 | 1; readonly extend: boolean }
  | { readonly kind: 'edge'; readonly end: boolean; readonly extend: boolean }
  | { readonly kind: 'column'; readonly by: -1 | 1 }
  | { readonly kind: 'toggle' | 'open' | 'escape' | 'selectAll' | 'copy' | 'menu' };

interface KeyPress {
  readonly key: string;
  readonly shiftKey: boolean;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** The action of a key press; null where the grid leaves it to others. */
export function gridAction(press: KeyPress): GridAction | null {
  const mod = press.ctrlKey || press.metaKey;
  const extend = press.shiftKey;
  if (press.altKey) return null;
  if (mod) {
    if (press.key === 'a') return { kind: 'selectAll' };
    if (press.key === 'c') return { kind: 'copy' };
    if (press.key === 'Home' || press.key === 'End')
      return { kind: 'edge', end: press.key === 'End', extend };
    return null;
  }
  switch (press.key) {
    case 'ArrowDown':
      return { kind: 'move', by: 1, extend };
    case 'ArrowUp':
      return { kind: 'move', by: -1, extend };
    case 'j':
    case 'J':
      return { kind: 'move', by: 1, extend };
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
      return press.shiftKey ? { kind: 'menu' } : null;
    default:
      return null;
  }
}
