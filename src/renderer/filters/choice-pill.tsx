import { Check, ChevronDown, Search } from 'lucide-react';
import {
  Button as AriaButton,
  Autocomplete,
  Dialog,
  DialogTrigger,
  Input,
  ListBox,
  ListBoxItem,
  Popover,
  SearchField,
  useFilter,
} from 'react-aria-components';
import { countText } from '../words/numbers.ts';
import { words } from '../words/words.ts';
import type { FilterField } from './fields.ts';
import { PillClear } from './pill-clear.tsx';

interface ChoicePillProps<F> {
  readonly field: Extract<FilterField<F>, { kind: 'choice' }>;
  readonly filter: F;
  readonly onChange: (filter: F) => void;
}

/** More options than this can be searched. */
const MANY = 8;

/** One or several of a list of values. */
export function ChoicePill<F>({ field, filter, onChange }: ChoicePillProps<F>) {
  const chosen = field.chosen(filter);
  const named = (value: string) => field.options.find((option) => option.value === value)?.label ?? value;
  const Icon = field.icon;
  const text = chosen.length > 2 ? words.filters.more(chosen.length) : chosen.map(named).join(', ');
  return (
    <span className={chosen.length > 0 ? 'pill pill-set' : 'pill'}>
      <DialogTrigger>
        <AriaButton className="pill-part">
          {Icon && <Icon size={13} aria-hidden="true" />}
          {field.label}
          {text && <b>{text}</b>}
          {chosen.length === 0 && <ChevronDown size={12} aria-hidden="true" />}
        </AriaButton>
        <Popover className="popover" offset={4} placement="bottom start">
          <Dialog className="popover-dialog" aria-label={field.label}>
            {({ close }) => <Options field={field} filter={filter} onChange={onChange} close={close} />}
          </Dialog>
        </Popover>
      </DialogTrigger>
      {chosen.length > 0 && (
        <PillClear label={field.label} onPress={() => onChange(field.choose(filter, []))} />
      )}
    </span>
  );
}

function Options<F>({ field, filter, onChange, close }: ChoicePillProps<F> & { readonly close: () => void }) {
  const { contains } = useFilter({ sensitivity: 'base' });
  const list = (
    <ListBox
      className="menu"
      aria-label={field.label}
      autoFocus={field.options.length > MANY ? false : 'first'}
      // Escape closes the list; what was chosen stays.
      escapeKeyBehavior="none"
      selectionMode={field.several ? 'multiple' : 'single'}
      selectedKeys={field.chosen(filter)}
      onSelectionChange={(keys) => {
        const values = keys === 'all' ? field.options.map(({ value }) => value) : [...keys].map(String);
        onChange(field.choose(filter, values));
        if (!field.several) close();
      }}
      renderEmptyState={() => <p className="menu-empty">{words.filters.noOption}</p>}
    >
      {field.options.map((option) => (
        <ListBoxItem key={option.value} id={option.value} className="menu-item" textValue={option.label}>
          {({ isSelected }) => (
            <>
              <span className="menu-check">{isSelected && <Check size={14} aria-hidden="true" />}</span>
              <span className="menu-label">{option.label}</span>
              {option.count !== undefined && <span className="menu-count">{countText(option.count)}</span>}
            </>
          )}
        </ListBoxItem>
      ))}
    </ListBox>
  );
  if (field.options.length <= MANY) return list;
  return (
    <Autocomplete filter={contains}>
      <SearchField className="menu-search" aria-label={words.filters.find} autoFocus>
        <Search size={14} aria-hidden="true" />
        <Input placeholder={words.filters.find} />
      </SearchField>
      {list}
    </Autocomplete>
  );
}
