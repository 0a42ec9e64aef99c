import { keyParts } from '../commands/keys.ts';

/** A shortcut as key caps: `Mod+Shift+K`, or `G W` for two keys one after the other. */
export function Keys({ keys }: { readonly keys: string }) {
  return (
    <span className="keys">
      {keyParts(keys).map((part) => (
        <kbd key={part}>{part}</kbd>
      ))}
    </span>
  );
}
