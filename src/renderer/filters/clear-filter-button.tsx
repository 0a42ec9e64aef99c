import { X } from 'lucide-react';
import { Button } from 'react-aria-components';
import { texts } from '../texts/texts.ts';

/** Button at the end of a filter pill that clears the filter. */
export function ClearFilterButton({
  label,
  onPress,
}: {
  readonly label: string;
  readonly onPress: () => void;
}) {
  return (
    <Button className="pill-clear" aria-label={texts.filters.remove(label)} onPress={onPress}>
      <X size={12} strokeWidth={2.5} aria-hidden="true" />
    </Button>
  );
}
