import { Search, X } from 'lucide-react';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Button as AriaButton, Input, SearchField } from 'react-aria-components';
import { Button } from '../controls/button.tsx';
import { KeyCaps } from '../controls/key-caps.tsx';
import { type FilterableList, filterableScreens, type ListFilters } from '../navigation/list-filters.ts';
import { openDialog, setListFilter, useWindowState } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { AmountRangePill } from './amount-range-pill.tsx';
import { ChoicePill, ClearFilterButton } from './choice-pill.tsx';
import { DayRangePill } from './day-range-pill.tsx';
import { describeFilter, type FilterField } from './filter-field.ts';
import './filters.css';

interface FilterBarProps<L extends FilterableList> {
  readonly list: L;
  readonly search?: string;
  readonly fields: readonly FilterField<ListFilters[L]>[];
  readonly children?: ReactNode;
}

/** Filter bar of a list. The filter is part of the address. A screen's own filter can also be saved as a view. */
export function FilterBar<L extends FilterableList>({ list, search, fields, children }: FilterBarProps<L>) {
  const filter = useWindowState((state) => state.filters[list]);
  const screen = filterableScreens.find((known) => known === list);
  return (
    <FilterPillBar
      {...(search !== undefined && { search })}
      {...{ filter, fields }}
      onChange={(next: ListFilters[L]) => setListFilter(list, next)}
      onClear={() => setListFilter(list, {})}
      {...(screen && { onSave: () => openDialog({ kind: 'saveView', screen }) })}
    >
      {children}
    </FilterPillBar>
  );
}

/** Returns sentences that state the current filter of a list. */
export function useFilterSentences<L extends FilterableList>(
  list: L,
  fields: readonly FilterField<ListFilters[L]>[],
): readonly string[] {
  return describeFilter(
    fields,
    useWindowState((state) => state.filters[list]),
  );
}

export interface FilterPillBarProps<F> {
  readonly search?: string;
  readonly filter: F;
  readonly fields: readonly FilterField<F>[];
  readonly onChange: (filter: F) => void;
  readonly onClear: () => void;
  /** Saves the filter as a view. Omitted if the filter cannot be saved. */
  readonly onSave?: () => void;
  readonly children?: ReactNode;
}

/** Filter bar with a search field, one pill per filter, and a button that clears all filters. */
export function FilterPillBar<F extends { readonly search?: string | undefined }>({
  search,
  filter,
  fields,
  onChange,
  onClear,
  onSave,
  children,
}: FilterPillBarProps<F>) {
  const isSet = Object.keys(filter).length > 0;
  return (
    <div className="filterbar" role="toolbar" aria-label={texts.filters.bar}>
      {search !== undefined && (
        <SearchBox
          label={search}
          text={filter.search ?? ''}
          onChange={(text) => onChange({ ...filter, search: text.trim() === '' ? undefined : text.trim() })}
        />
      )}
      {fields.map((field) => (
        <FilterPill key={field.id} field={field} filter={filter} onChange={onChange} />
      ))}
      {isSet && (
        <>
          <Button kind="quiet" size="small" onPress={onClear}>
            {texts.filters.clearAll}
          </Button>
          {onSave && (
            <Button kind="quiet" size="small" onPress={onSave}>
              {texts.filters.saveView}
            </Button>
          )}
        </>
      )}
      <span className="filterbar-end">{children}</span>
    </div>
  );
}

/** Pill for one filter. It shows the selected values and a button that clears them. */
export function FilterPill<F>(props: { field: FilterField<F>; filter: F; onChange: (filter: F) => void }) {
  const { field, filter, onChange } = props;
  switch (field.kind) {
    case 'choice':
      return <ChoicePill field={field} filter={filter} onChange={onChange} />;
    case 'days':
      return <DayRangePill field={field} filter={filter} onChange={onChange} />;
    case 'amounts':
      return <AmountRangePill field={field} filter={filter} onChange={onChange} />;
    case 'fixed': {
      const text = field.text(filter);
      return text === null ? null : (
        <span className="pill pill-active">
          <span className="pill-part">
            {field.label} <b>{text}</b>
          </span>
          <ClearFilterButton label={field.label} onPress={() => onChange(field.clear(filter))} />
        </span>
      );
    }
  }
}

/** Delay between the last typed character and the search, in milliseconds. Chosen by judgment. */
const SEARCH_DEBOUNCE_MS = 140;

interface SearchBoxProps {
  readonly label: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** Set to false if the search shortcut focuses another field. */
  readonly showShortcut?: boolean;
}

/** Search field of a list. Pressing Enter moves the focus to the list. */
export function SearchBox({ label, text, onChange, showShortcut = true }: SearchBoxProps) {
  const [typed, setTyped] = useState(text);
  const [syncedText, setSyncedText] = useState(text);
  if (syncedText !== text) {
    setSyncedText(text);
    if (typed.trim() !== text.trim()) setTyped(text);
  }
  const latest = useRef(onChange);
  useLayoutEffect(() => {
    latest.current = onChange;
  });
  // The delay starts at the last typed character, even if the bar renders again in the meantime.
  useEffect(() => {
    if (typed.trim() === text.trim()) return;
    const timer = setTimeout(() => latest.current(typed), SEARCH_DEBOUNCE_MS);
    return () => clearTimeout(timer);
  }, [typed, text]);
  return (
    <SearchField
      className="filter-search"
      aria-label={label}
      value={typed}
      onChange={setTyped}
      onSubmit={() => {
        if (typed.trim() !== text.trim()) onChange(typed);
        focusNearestGrid(document.activeElement);
      }}
      maxLength={200}
    >
      <Search size={14} aria-hidden="true" />
      <Input
        // The field is too narrow for its label.
        placeholder={texts.filters.search}
        title={label}
        onKeyDown={(event) => {
          // The first Escape clears the search field. The second one leaves it.
          if (event.key === 'Escape' && typed === '') focusNearestGrid(event.currentTarget);
        }}
      />
      {typed === '' ? (
        showShortcut && <KeyCaps keys="Mod+F" />
      ) : (
        <AriaButton className="pill-clear">
          <X size={13} aria-hidden="true" />
        </AriaButton>
      )}
    </SearchField>
  );
}

/** Focuses the list closest to an element. If there are several lists, this is the list in the element's own section. */
function focusNearestGrid(from: Element | null): void {
  from?.closest('section, main')?.querySelector<HTMLElement>('[role=grid]')?.focus();
}
