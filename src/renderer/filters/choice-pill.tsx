import { Ban, Check, ChevronDown, Search, X } from 'lucide-react';
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
import { Button } from '../controls/button.tsx';
import { formatCount } from '../texts/numbers.ts';
import { texts } from '../texts/texts.ts';
import { type FilterField, formatChosenValues } from './filter-field.ts';

interface ChoicePillProps<F> {
  readonly field: Extract<FilterField<F>, { kind: 'choice' }>;
  readonly filter: F;
  readonly onChange: (filter: F) => void;
}

/** Maximum number of options shown without a search field. Chosen by judgment. */
const MAX_UNSEARCHED_OPTIONS = 8;

/** Filter pill for choosing one or more values from a list. */
export function ChoicePill<F>({ field, filter, onChange }: ChoicePillProps<F>) {
  const chosen = field.chosen(filter);
  const Icon = field.icon;
  const text = formatChosenValues(field, chosen);
  return (
    <span className={chosen.length > 0 ? 'pill pill-active' : 'pill'}>
      <DialogTrigger>
        <AriaButton className="pill-part">
          {Icon && <Icon size={13} aria-hidden="true" />}
          {field.label}
          {text && <b>{text}</b>}
          {chosen.length === 0 && <ChevronDown size={12} aria-hidden="true" />}
        </AriaButton>
        <Popover className="popover" offset={4} placement="bottom start">
          <Dialog className="popover-dialog" aria-label={field.label}>
            {({ close }) => (
              <>
                <OptionList field={field} filter={filter} onChange={onChange} close={close} />
                <ExcludeButton field={field} filter={filter} onChange={onChange} />
              </>
            )}
          </Dialog>
        </Popover>
      </DialogTrigger>
      {chosen.length > 0 && (
        <ClearFilterButton label={field.label} onPress={() => onChange(field.choose(filter, []))} />
      )}
    </span>
  );
}

/** Button that replaces the chosen values with all others, so that the filter excludes them. */
function ExcludeButton<F>({ field, filter, onChange }: ChoicePillProps<F>) {
  const chosen = field.chosen(filter);
  const others = field.options.map(({ value }) => value).filter((value) => !chosen.includes(value));
  if (!field.allowsMultiple || chosen.length === 0 || others.length === 0) return null;
  return (
    <div className="choice-exclude">
      <Button kind="quiet" size="small" icon={Ban} onPress={() => onChange(field.choose(filter, others))}>
        {texts.filters.exclude(formatChosenValues(field, chosen))}
      </Button>
    </div>
  );
}

function OptionList<F>({
  field,
  filter,
  onChange,
  close,
}: ChoicePillProps<F> & { readonly close: () => void }) {
  const { contains } = useFilter({ sensitivity: 'base' });
  const list = (
    <ListBox
      className="menu"
      aria-label={field.label}
      autoFocus={field.options.length > MAX_UNSEARCHED_OPTIONS ? false : 'first'}
      // Escape closes the list without clearing the selection.
      escapeKeyBehavior="none"
      selectionMode={field.allowsMultiple ? 'multiple' : 'single'}
      selectedKeys={field.chosen(filter)}
      onSelectionChange={(keys) => {
        const values = keys === 'all' ? field.options.map(({ value }) => value) : [...keys].map(String);
        onChange(field.choose(filter, values));
        if (!field.allowsMultiple) close();
      }}
      renderEmptyState={() => <p className="menu-empty">{texts.filters.noOption}</p>}
    >
      {field.options.map((option) => (
        <ListBoxItem key={option.value} id={option.value} className="menu-item" textValue={option.label}>
          {({ isSelected }) => (
            <>
              <span className="menu-check">{isSelected && <Check size={14} aria-hidden="true" />}</span>
              <span className="menu-label">{option.label}</span>
              {option.count !== undefined && <span className="menu-count">{formatCount(option.count)}</span>}
            </>
          )}
        </ListBoxItem>
      ))}
    </ListBox>
  );
  if (field.options.length <= MAX_UNSEARCHED_OPTIONS) return list;
  return (
    <Autocomplete filter={contains}>
      <SearchField className="menu-search" aria-label={texts.filters.find} autoFocus>
        <Search size={14} aria-hidden="true" />
        <Input placeholder={texts.filters.find} />
      </SearchField>
      {list}
    </Autocomplete>
  );
}

/** Button at the end of a filter pill that clears the filter. */
export function ClearFilterButton(props: { readonly label: string; readonly onPress: () => void }) {
  const { label, onPress } = props;
  return (
    <AriaButton className="pill-clear" aria-label={texts.filters.remove(label)} onPress={onPress}>
      <X size={12} strokeWidth={2.5} aria-hidden="true" />
    </AriaButton>
  );
}
