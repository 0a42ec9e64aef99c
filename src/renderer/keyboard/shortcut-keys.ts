/** Key press. Shortcuts are written `Mod+K` (Ctrl, or ⌘ on a Mac), `Shift+R`, `?`, or `G W` (in sequence). */

interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly shiftKey: boolean;
  readonly altKey: boolean;
}

const onMac = typeof navigator !== 'undefined' && /Mac/.test(navigator.platform);
const keyCaps: Record<string, string> = {
  Mod: onMac ? '⌘' : 'Ctrl',
  Shift: onMac ? '⇧' : 'Shift',
  Escape: 'Esc',
  ArrowUp: '↑',
  ArrowDown: '↓',
  ArrowLeft: '←',
  ArrowRight: '→',
  Space: 'Space',
};

/**
 * Converts a key press to shortcut text. Returns null for a modifier key alone, for combinations with Alt, and for the
 * other control key. For example, text fields on a Mac use Ctrl+A, Ctrl+F and Ctrl+K for editing.
 */
export function toShortcut(event: KeyPress, isMac = onMac): string | null {
  if (['Control', 'Shift', 'Alt', 'Meta', 'AltGraph'].includes(event.key)) return null;
  if (event.altKey || (isMac ? event.ctrlKey : event.metaKey)) return null;
  const isLetter = /^[a-z]$/i.test(event.key);
  const key = isLetter ? event.key.toUpperCase() : event.key === ' ' ? 'Space' : event.key;
  const hasShift = event.shiftKey && (isLetter || key.length > 1);
  return [event.ctrlKey || event.metaKey ? 'Mod' : null, hasShift ? 'Shift' : null, key]
    .filter(Boolean)
    .join('+');
}

/** Returns the key cap labels of a shortcut, for example `Ctrl` and `K` for `Mod+K`. */
export function getKeyCapLabels(shortcut: string): string[] {
  return shortcut.split(' ').flatMap((step) => step.split(/\+(?=.)/).map((part) => keyCaps[part] ?? part));
}

/** Time limit for pressing the second key of a two-key shortcut, in milliseconds. Chosen by judgment. */
export const SHORTCUT_SEQUENCE_TIMEOUT_MS = 1_200;

/** Returns the shortcut that the keys `previous` and `key` complete, the first key of a two-key shortcut, or null. */
export function findShortcut(
  key: string,
  previous: string | null,
  shortcuts: ReadonlySet<string>,
): { readonly shortcut: string } | { readonly firstKey: string } | null {
  const sequence = previous === null ? key : `${previous} ${key}`;
  if (shortcuts.has(sequence)) return { shortcut: sequence };
  if (previous !== null) return findShortcut(key, null, shortcuts);
  const startsSequence = [...shortcuts].some((shortcut) => shortcut.startsWith(`${key} `));
  return startsSequence ? { firstKey: key } : null;
}
