import {
  CaseSensitive,
  ChevronDown,
  ChevronUp,
  Layers,
  ListTree,
  type LucideIcon,
  Search,
  WholeWord,
  X,
} from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Input, SearchField } from 'react-aria-components';
import { Button, type ButtonProps } from '../controls/button.tsx';
import { texts } from '../texts/texts.ts';
import type { ActivePdfViewer } from './active-viewer.ts';
import { updatePdfSearchState, usePdfSearchState } from './pdf-search-state.ts';
import { type PdfSidePanelTab, showPdfSidePanel } from './side-panel-state.ts';
import { ToolbarIconButtons } from './viewer-toolbar.tsx';

const text = texts.pdf;

interface FindBarProps {
  readonly viewer: ActivePdfViewer;
  readonly side: PdfSidePanelTab | null;
  /** True if the search can continue in other documents. */
  readonly hasOtherDocuments: boolean;
  readonly onClose: () => void;
}

/** Find bar of the PDF viewer: search field, number of matches, buttons to move between matches, and options. */
export function PdfFindBar({ viewer, side, hasOtherDocuments, onClose }: FindBarProps) {
  const findState = usePdfSearchState();
  const field = useRef<HTMLInputElement>(null);
  const { match } = viewer.state;
  const { focusField } = findState;
  useEffect(() => {
    if (!focusField) return;
    updatePdfSearchState({ focusField: false });
    field.current?.focus();
    field.current?.select();
  }, [focusField]);
  const optionButton = (
    option: 'matchCase' | 'wholeWord' | 'searchesOtherDocuments',
    icon: LucideIcon,
    label: string,
  ): ButtonProps => ({
    icon,
    label,
    isPressed: findState[option],
    onPress: () => updatePdfSearchState({ [option]: !findState[option] }),
  });
  const hasNoMatch = match !== null && match.of === 0 && match.isComplete;
  return (
    <search className="pdf-findbar" aria-label={text.find}>
      <SearchField
        className="filter-search pdf-find"
        aria-label={text.find}
        value={findState.words}
        maxLength={200}
        onChange={(typed) => updatePdfSearchState({ words: typed, eachWord: false })}
        onKeyDown={(event) => {
          if (event.key === 'Enter') viewer.goToMatch(event.shiftKey);
          else if (event.key === 'Escape') onClose();
          else event.continuePropagation();
        }}
      >
        <Search size={14} aria-hidden="true" />
        <Input ref={field} placeholder={text.find} />
      </SearchField>
      <span className={hasNoMatch ? 'pdf-count pdf-none' : 'pdf-count'} role="status">
        {match && (hasNoMatch ? text.noMatch : text.matches(match.at, match.of))}
      </span>
      <ToolbarIconButtons
        buttons={[
          {
            icon: ChevronUp,
            label: text.findPrevious,
            shortcuts: ['Shift+F3'],
            onPress: () => viewer.goToMatch(true),
          },
          {
            icon: ChevronDown,
            label: text.findNext,
            shortcuts: ['F3'],
            onPress: () => viewer.goToMatch(false),
          },
        ]}
      />
      <span className="pdf-divider" />
      <ToolbarIconButtons
        buttons={[
          optionButton('matchCase', CaseSensitive, text.matchCase),
          optionButton('wholeWord', WholeWord, text.wholeWord),
          ...(hasOtherDocuments ? [optionButton('searchesOtherDocuments', Layers, text.continueInList)] : []),
          {
            icon: ListTree,
            label: text.listHits,
            isPressed: side === 'hits',
            onPress: () => showPdfSidePanel(viewer.sidePanelOwner, side === 'hits' ? null : 'hits'),
          },
        ]}
      />
      <span className="pdf-findbar-end">
        <Button kind="quiet" icon={X} label={text.closeFind} onPress={onClose} />
      </span>
    </search>
  );
}
