import { Check, Copy } from 'lucide-react';
import { useState } from 'react';
import { announceToScreenReader } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { Button } from './button.tsx';

/** Button that copies a text to the clipboard and then confirms that it was copied. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [copied, setCopied] = useState(false);
  return (
    <Button
      kind="quiet"
      size="small"
      icon={copied ? Check : Copy}
      label={copied ? texts.controls.copied : label}
      onPress={() => {
        navigator.clipboard.writeText(text).then(
          () => {
            setCopied(true);
            announceToScreenReader(texts.controls.copied);
            setTimeout(() => setCopied(false), 1_500);
          },
          () => announceToScreenReader(texts.controls.noClipboard),
        );
      }}
    />
  );
}
