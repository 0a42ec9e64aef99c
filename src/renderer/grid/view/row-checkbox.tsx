import { Check } from 'lucide-react';

interface RowCheckboxProps {
  readonly isShown: boolean;
  readonly isChecked: boolean;
  readonly title?: string;
}

/** Checkbox to the left of the first column. Assistive technology reads the row's `aria-selected` attribute instead. */
export function RowCheckbox({ isShown, isChecked, title }: RowCheckboxProps) {
  return (
    <span className={isShown ? 'grid-checkbox' : ''} aria-hidden="true">
      {isShown && (
        <span className={`row-checkbox${isChecked ? ' row-checkbox-on' : ''}`} title={title}>
          {isChecked && <Check size={11} strokeWidth={3.5} />}
        </span>
      )}
    </span>
  );
}
