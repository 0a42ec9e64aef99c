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
  /** Texts shown if no record matches the filter (`none`) and if there are no records at all (`empty`). */
  readonly text: {
    readonly noneTitle: string;
    readonly noneText: string;
    readonly emptyTitle: string;
    readonly emptyText: string;
  };
  /** Text about records that the search has not covered yet, or null if the search covered all of them. */
  readonly unsearched?: string | null;
  /** Action to offer if there are no records at all. By default, the action is to start a sync. */
  readonly action?: ReactNode;
}

/** Message shown for an empty list. It offers to clear the filter if one is set, and otherwise to obtain records. */
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
