import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { CommandButton } from '../commands/command-button.tsx';
import { Button } from '../controls/button.tsx';
import { EmptyState } from '../controls/empty-state.tsx';
import { type FilteredScreen, setFilter, useWindowState } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';

interface ListEmptyStateProps {
  readonly screen: FilteredScreen;
  readonly icon: LucideIcon;
  /** Texts if nothing matches the filter (`none`) and if there are no records at all (`empty`). */
  readonly text: {
    readonly noneTitle: string;
    readonly noneText: string;
    readonly emptyTitle: string;
    readonly emptyText: string;
  };
  /** Explains that the search did not cover all records yet; null if it did. */
  readonly unsearched?: string | null;
  /** Next step if there are no records at all. By default it starts a sync. */
  readonly action?: ReactNode;
}

/** Empty state of a list. If a filter is set, offers to clear it; otherwise offers to get records. */
export function ListEmptyState(props: ListEmptyStateProps) {
  const { screen, icon, text, unsearched = null } = props;
  const isFiltered = useWindowState((state) => Object.keys(state.filters[screen]).length > 0);
  if (!isFiltered) {
    const action = props.action ?? <CommandButton id="sync.start" kind="primary" />;
    return (
      <EmptyState icon={icon} title={text.emptyTitle} action={action}>
        {text.emptyText}
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={icon}
      title={unsearched ? texts.filters.unsearched.noneTitle : text.noneTitle}
      action={<Button onPress={() => setFilter(screen, {})}>{texts.filters.clear}</Button>}
    >
      {unsearched ?? text.noneText}
    </EmptyState>
  );
}
