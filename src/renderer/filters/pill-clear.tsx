import { X } from 'lucide-react';
import { Button } from 'react-aria-components';
import { words } from '../words/words.ts';

/** The cross at a pill's end. */
export function PillClear({ label, onPress }: { readonly label: string; readonly onPress: () => void }) {
  return (
    <Button className="pill-clear" aria-label={words.filters.remove(label)} onPress={onPress}>
      <X size={12} strokeWidth={2.5} aria-hidden="true" />
    </Button>
  );
}
