import { type KeyboardEvent, useEffect, useRef } from 'react';
import { Label, TextArea, TextField } from 'react-aria-components';
import type { TextInputProps } from './form-fields.tsx';
import './form-fields.css';

interface MultilineFieldProps
  extends Pick<
    TextInputProps,
    'label' | 'hideLabel' | 'value' | 'onChange' | 'placeholder' | 'autoFocus' | 'maxLength'
  > {
  readonly onSubmit: () => void;
  readonly rows?: number;
}

/** Multi-line text field. Ctrl+Enter submits it. */
export function MultilineField(props: MultilineFieldProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  const { autoFocus = false } = props;
  useEffect(() => {
    if (autoFocus) box.current?.focus();
  }, [autoFocus]);
  const handleKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    props.onSubmit();
  };
  return (
    <TextField
      className="field"
      value={props.value}
      onChange={props.onChange}
      {...(props.hideLabel ? { 'aria-label': props.label } : {})}
      {...(props.maxLength ? { maxLength: props.maxLength } : {})}
    >
      {!props.hideLabel && <Label>{props.label}</Label>}
      <TextArea
        ref={box}
        className="input input-multiline"
        rows={props.rows ?? 3}
        placeholder={props.placeholder ?? ''}
        onKeyDown={handleKey}
      />
    </TextField>
  );
}
