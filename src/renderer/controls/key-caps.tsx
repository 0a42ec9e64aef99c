import { getKeyCapLabels } from '../keyboard/shortcut-keys.ts';

/** Shows a shortcut as key caps. `Mod+Shift+K` is pressed at once; `G W` means two keys in sequence. */
export function KeyCaps({ keys }: { readonly keys: string }) {
  return (
    <span className="key-caps">
      {getKeyCapLabels(keys).map((part) => (
        <kbd key={part}>{part}</kbd>
      ))}
    </span>
  );
}
