import { keyCapLabels } from '../keyboard/shortcut-keys.ts';

/** Shortcut as key caps: `Mod+Shift+K`, or `G W` for two keys in sequence. */
export function KeyCaps({ keys }: { readonly keys: string }) {
  return (
    <span className="key-caps">
      {keyCapLabels(keys).map((part) => (
        <kbd key={part}>{part}</kbd>
      ))}
    </span>
  );
}
