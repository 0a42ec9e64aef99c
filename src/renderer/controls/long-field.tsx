import { type KeyboardEvent, useEffect, useRef } from 'react';
import { Label, TextArea, TextField } from 'react-aria-components';
import './field.css';

interface LongFieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly onSubmit: () => void;
  readonly placeholder?: string;
  /** A dialog's first field takes the focus: the person opened it to type. */
  readonly autoFocus?: boolean;
  readonly labelUnseen?: boolean;
  readonly rows?: number;
  readonly maxLength?: number;
}

/** Several lines of text; Ctrl+Enter sends them off. */
export function LongField(props: LongFieldProps) {
  const box = useRef<HTMLTextAreaElement>(null);
  const { autoFocus = false } = props;
  useEffect(() => {
    if (autoFocus) box.current?.focus();
  }, [autoFocus]);
  const press = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    props.onSubmit();
  };
  return (
    <TextField
      className="field"
      value={props.value}
      onChange={props.onChange}
      {...(props.labelUnseen ? { 'aria-label': props.label } : {})}
      {...(props.maxLength ? { maxLength: props.maxLength } : {})}
    >
      {!props.labelUnseen && <Label>{props.label}</Label>}
      <TextArea
        ref={box}
        className="input input-long"
        rows={props.rows ?? 3}
        placeholder={props.placeholder ?? ''}
        onKeyDown={press}
      />
    </TextField>
  );
}
