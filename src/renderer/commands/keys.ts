/**
 * Shortcuts as text: `Mod+K` (Ctrl, or ⌘ on a Mac), `Shift+R`, `?`, and `G W` for two keys one after the other.
 */
interface KeyEventLike {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

const onMac = typeof navigator !== 'undefined' && /Mac/.test(navigator.platform);
const caps: Record<string, string> = {
  Mod: onMac ? '⌘' : 'Ctrl',
  Shift: onMac ? '⇧' : 'Shift',
  Escape: 'Esc',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Space: 'Space',
};

/** A key press as shortcut text; null for a modifier alone. */
export function keyOf(event: KeyEventLike): string | null {
  if (['Control', 'Shift', 'Alt', 'Meta', 'AltGraph'].includes(event.key)) return null;
  if (event.altKey) return null;
  const letter = /^[a-z]$/i.test(event.key);
  const key = letter ? event.key.toUpperCase() : event.key === ' ' ? 'Space' : event.key;
  const shift = event.shiftKey && (letter || key.length > 1);
  return [event.ctrlKey || event.metaKey ? 'Mod' : null, shift ? 'Shift' : null, key]
    .filter(Boolean)
    .join('+');
}

/** The caps to show: `Ctrl`, `K`. */
export function keyParts(keys: string): string[] {
  return keys.split(' ').flatMap((step) => step.split(/\+(?=.)/).map((part) => caps[part] ?? part));
}

/** How long the second key of two may take. */
export const SECOND_KEY_MS = 1_200;

/** What a press leads to, given the press before it: a whole shortcut, the beginning of one, or nothing. */
export function readKey(
  pressed: string,
  before: string | null,
  shortcuts: ReadonlySet<string>,
): { readonly shortcut: string } | { readonly begun: string } | null {
  const both = before === null ? pressed : `${before} ${pressed}`;
  if (shortcuts.has(both)) return { shortcut: both };
  if (before === null) {
    for (const shortcut of shortcuts) if (shortcut.startsWith(`${pressed} `)) return { begun: pressed };
    return null;
  }
  return readKey(pressed, null, shortcuts);
}
