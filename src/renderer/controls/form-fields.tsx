import { Check, ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import {
  Button as AriaButton,
  FieldError,
  Input,
  Label,
  ListBox,
  ListBoxItem,
  Popover,
  Radio,
  RadioGroup,
  Select,
  SelectValue,
  Switch,
  Text,
  TextField,
} from 'react-aria-components';
import './form-fields.css';

/** Returns the props that bind an input to one field of a form's draft. */
export function bindFormField<Draft, Name extends keyof Draft>(
  draft: Draft,
  onChange: (draft: Draft) => void,
  name: Name,
) {
  return {
    value: draft[name],
    onChange: (value: Draft[Name]) => onChange({ ...draft, [name]: value }),
  };
}

export interface TextInputProps {
  readonly label: string;
  readonly hideLabel?: boolean;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly hint?: ReactNode;
  readonly placeholder?: string;
  readonly type?: 'text' | 'password' | 'url';
  readonly numeric?: boolean;
  readonly required?: boolean;
  readonly error?: string | null;
  readonly autoFocus?: boolean;
  readonly maxLength?: number;
}

/** Text field with a label, a hint, and an error message. */
export function TextInput(props: TextInputProps) {
  return (
    <TextField
      className="field"
      value={props.value}
      onChange={props.onChange}
      type={props.type ?? 'text'}
      isInvalid={Boolean(props.error)}
      isRequired={props.required ?? false}
      autoFocus={props.autoFocus ?? false}
      validationBehavior="aria"
      autoComplete="off"
      spellCheck="false"
      {...(props.hideLabel ? { 'aria-label': props.label } : {})}
      {...(props.maxLength ? { maxLength: props.maxLength } : {})}
      {...(props.numeric ? { inputMode: 'numeric' as const } : {})}
    >
      {!props.hideLabel && <Label>{props.label}</Label>}
      <Input className="input" placeholder={props.placeholder ?? ''} />
      {props.hint && !props.error && <Text slot="description">{props.hint}</Text>}
      <FieldError>{props.error}</FieldError>
    </TextField>
  );
}

interface ChoiceProps<T extends string> {
  readonly label: string;
  readonly value: T;
  readonly options: readonly { readonly value: T; readonly label: string; readonly hint?: string }[];
  readonly onChange: (value: T) => void;
  readonly labelUnseen?: boolean;
}

/** Segmented control for choosing one option, with all options visible. */
export function SegmentedControl<T extends string>(props: ChoiceProps<T>) {
  return (
    <RadioGroup
      className="segments"
      orientation="horizontal"
      value={props.value}
      onChange={(value) => props.onChange(value as T)}
      {...(props.labelUnseen ? { 'aria-label': props.label } : {})}
    >
      {!props.labelUnseen && <Label>{props.label}</Label>}
      <div className="segments-row">
        {props.options.map((option) => (
          <Radio key={option.value} value={option.value} className="segment">
            {option.label}
          </Radio>
        ))}
      </div>
    </RadioGroup>
  );
}

/** Radio buttons for choosing one option, each with an explanation. */
export function RadioButtonGroup<T extends string>(props: ChoiceProps<T>) {
  return (
    <RadioGroup className="radios" value={props.value} onChange={(value) => props.onChange(value as T)}>
      <Label>{props.label}</Label>
      {props.options.map((option) => (
        <Radio key={option.value} value={option.value} className="radio">
          <span className="radio-dot" aria-hidden="true" />
          <span>
            {option.label}
            {option.hint && <small>{option.hint}</small>}
          </span>
        </Radio>
      ))}
    </RadioGroup>
  );
}

export function SelectField<T extends string>(
  props: ChoiceProps<T> & {
    readonly hint?: string;
    /** Text shown until an option is selected. */
    readonly placeholder?: string;
  },
) {
  return (
    <Select
      className="field"
      value={props.value}
      onChange={(value) => value !== null && props.onChange(String(value) as T)}
      {...(props.placeholder !== undefined && { placeholder: props.placeholder })}
      {...(props.labelUnseen ? { 'aria-label': props.label } : {})}
    >
      {!props.labelUnseen && <Label>{props.label}</Label>}
      <AriaButton className="input select">
        <SelectValue />
        <ChevronDown size={14} aria-hidden="true" />
      </AriaButton>
      {props.hint && <Text slot="description">{props.hint}</Text>}
      <Popover className="popover" offset={4}>
        <ListBox className="menu">
          {props.options.map((option) => (
            <ListBoxItem key={option.value} id={option.value} className="menu-item" textValue={option.label}>
              {({ isSelected }) => (
                <>
                  <span className="menu-check">{isSelected && <Check size={14} aria-hidden="true" />}</span>
                  <span className="menu-label">{option.label}</span>
                </>
              )}
            </ListBoxItem>
          ))}
        </ListBox>
      </Popover>
    </Select>
  );
}

interface ToggleProps {
  readonly children: ReactNode;
  readonly on: boolean;
  readonly onChange: (on: boolean) => void;
  readonly disabled?: boolean;
}

export function ToggleSwitch({ children, on, onChange, disabled = false }: ToggleProps) {
  return (
    <Switch className="toggle" isSelected={on} onChange={onChange} isDisabled={disabled}>
      <span className="toggle-track" aria-hidden="true" />
      <span>{children}</span>
    </Switch>
  );
}
