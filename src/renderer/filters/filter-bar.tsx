import { Search, X } from 'lucide-react';
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { Button as AriaButton, Input, SearchField } from 'react-aria-components';
import { Button } from '../controls/button.tsx';
import { Keys } from '../controls/keys.tsx';
import { type FilteredScreen, type Filters, openDialog, setFilter, useView } from '../view/view.ts';
import { words } from '../words/words.ts';
import { ChoicePill } from './choice-pill.tsx';
import { DaysPill } from './days-pill.tsx';
import type { FilterField } from './fields.ts';
import { PillClear } from './pill-clear.tsx';
import './filters.css';

interface FilterBarProps<S extends FilteredScreen> {
  readonly screen: S;
  /** The words of the search field; without them the list has none. */
  readonly search?: string;
  readonly fields: readonly FilterField<Filters[S]>[];
  /** What stands at the bar's end: columns and the like. */
  readonly children?: ReactNode;
}

/** A screen's filter bar: its filter is kept with the view, and may be saved under a name. */
export function FilterBar<S extends FilteredScreen>({ screen, search, fields, children }: FilterBarProps<S>) {
  const filter = useView((view) => view.filters[screen]);
  return (
    <PillBar
      {...(search !== undefined && { search })}
      {...{ filter, fields }}
      onChange={(next: Filters[S]) => setFilter(screen, next)}
      onClear={() => setFilter(screen, {})}
      onSave={() => openDialog({ kind: 'saveView', screen })}
    >
      {children}
    </PillBar>
  );
}

interface PillBarProps<F> {
  /** The words of the search field; without them the list has none. */
  readonly search?: string;
  readonly filter: F;
  readonly fields: readonly FilterField<F>[];
  readonly onChange: (filter: F) => void;
  readonly onClear: () => void;
  /** Where what is set can be kept under a name. */
  readonly onSave?: () => void;
  /** What stands at the bar's end: columns and the like. */
  readonly children?: ReactNode;
}

/** The one filter bar: search, choices as pills that say what is set, and a way out. */
export function PillBar<F extends { readonly search?: string | undefined }>({
  search,
  filter,
  fields,
  onChange,
  onClear,
  onSave,
  children,
}: PillBarProps<F>) {
  const isSet = Object.keys(filter).length > 0;
  return (
    <div className="filterbar" role="toolbar" aria-label={words.filters.bar}>
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
            {words.filters.clearAll}
          </Button>
          {onSave && (
            <Button kind="quiet" size="small" onPress={onSave}>
              {words.filters.saveView}
            </Button>
          )}
        </>
      )}
      <span className="filterbar-end">{children}</span>
    </div>
  );
}

interface FilterPillProps<F> {
  readonly field: FilterField<F>;
  readonly filter: F;
  readonly onChange: (filter: F) => void;
}

/** One way to filter: says what is set, and takes it away. */
export function FilterPill<F>({ field, filter, onChange }: FilterPillProps<F>) {
  switch (field.kind) {
    case 'choice':
      return <ChoicePill field={field} filter={filter} onChange={onChange} />;
    case 'days':
      return <DaysPill field={field} filter={filter} onChange={onChange} />;
    case 'fixed': {
      const text = field.text(filter);
      return text === null ? null : (
        <span className="pill pill-set">
          <span className="pill-part">
            {field.label} <b>{text}</b>
          </span>
          <PillClear label={field.label} onPress={() => onChange(field.clear(filter))} />
        </span>
      );
    }
  }
}

/** Asking while typing, but not at every letter. */
const PAUSE_MS = 140;

interface SearchBoxProps {
  readonly label: string;
  readonly text: string;
  readonly onChange: (text: string) => void;
  /** False where the key for searching leads elsewhere. */
  readonly keyed?: boolean;
}

/** Where a list's words are typed; Enter leads on into the list. */
export function SearchBox({ label, text, onChange, keyed = true }: SearchBoxProps) {
  const [typed, setTyped] = useState(text);
  const [told, setTold] = useState(text);
  if (told !== text) {
    setTold(text);
    if (typed.trim() !== text.trim()) setTyped(text);
  }
  const latest = useRef(onChange);
  useLayoutEffect(() => {
    latest.current = onChange;
  });
  // From the last letter on, however often the bar is drawn meanwhile.
  useEffect(() => {
    if (typed.trim() === text.trim()) return;
    const timer = setTimeout(() => latest.current(typed), PAUSE_MS);
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
        intoList(document.activeElement);
      }}
      maxLength={200}
    >
      <Search size={14} aria-hidden="true" />
      <Input
        placeholder={label}
        onKeyDown={(event) => {
          // The first Escape takes the words away, the next one leads out of the field.
          if (event.key === 'Escape' && typed === '') intoList(event.currentTarget);
        }}
      />
      {typed === '' ? (
        keyed && <Keys keys="Mod+F" />
      ) : (
        <AriaButton className="pill-clear">
          <X size={13} aria-hidden="true" />
        </AriaButton>
      )}
    </SearchField>
  );
}

/** To the list beside what has the focus: of its own section where there are two. */
function intoList(from: Element | null): void {
  from?.closest('section, main')?.querySelector<HTMLElement>('[role=grid]')?.focus();
}
