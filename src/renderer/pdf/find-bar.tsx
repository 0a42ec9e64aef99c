import { CaseSensitive, ChevronDown, ChevronUp, Layers, ListTree, Search, WholeWord, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Input, SearchField } from 'react-aria-components';
import { Button } from '../controls/button.tsx';
import { words } from '../words/words.ts';
import { changeFinding, useFinding } from './finding.ts';
import type { InFront } from './front.ts';
import { type Side, showSide } from './side.ts';

const text = words.pdf;

interface FindBarProps {
  readonly front: InFront;
  readonly side: Side | null;
  /** Whether there are other documents to go on to. */
  readonly across: boolean;
  readonly onClose: () => void;
}

/** What is sought, how often it was found, and the way from one place to the next. */
export function FindBar({ front, side, across, onClose }: FindBarProps) {
  const finding = useFinding();
  const field = useRef<HTMLInputElement>(null);
  const { match } = front.state;
  const { toField } = finding;
  useEffect(() => {
    if (!toField) return;
    changeFinding({ toField: false });
    field.current?.focus();
    field.current?.select();
  }, [toField]);
  const none = match !== null && match.of === 0 && match.whole;
  return (
    <search className="pdf-findbar" aria-label={text.find}>
      <SearchField
        className="filter-search pdf-find"
        aria-label={text.find}
        value={finding.words}
        maxLength={200}
        onChange={(typed) => changeFinding({ words: typed })}
        onKeyDown={(event) => {
          if (event.key === 'Enter') front.walk(event.shiftKey);
          else if (event.key === 'Escape') onClose();
          else event.continuePropagation();
        }}
      >
        <Search size={14} aria-hidden="true" />
        <Input ref={field} placeholder={text.find} />
      </SearchField>
      <span className={none ? 'pdf-count pdf-none' : 'pdf-count'} role="status">
        {match && (none ? text.noMatch : text.matches(match.at, match.of))}
      </span>
      <Button
        kind="quiet"
        icon={ChevronUp}
        label={text.findPrevious}
        keys={['Shift+F3']}
        onPress={() => front.walk(true)}
      />
      <Button
        kind="quiet"
        icon={ChevronDown}
        label={text.findNext}
        keys={['F3']}
        onPress={() => front.walk(false)}
      />
      <span className="pdf-gap" />
      <Button
        kind="quiet"
        icon={CaseSensitive}
        label={text.matchCase}
        pressed={finding.matchCase}
        onPress={() => changeFinding({ matchCase: !finding.matchCase })}
      />
      <Button
        kind="quiet"
        icon={WholeWord}
        label={text.wholeWord}
        pressed={finding.wholeWord}
        onPress={() => changeFinding({ wholeWord: !finding.wholeWord })}
      />
      {across && (
        <Button
          kind="quiet"
          icon={Layers}
          label={text.across}
          pressed={finding.across}
          onPress={() => changeFinding({ across: !finding.across })}
        />
      )}
      <Button
        kind="quiet"
        icon={ListTree}
        label={text.listHits}
        pressed={side === 'hits'}
        onPress={() => showSide(front.sideOf, side === 'hits' ? null : 'hits')}
      />
      <span className="pdf-findbar-end">
        <Button kind="quiet" icon={X} label={text.closeFind} onPress={onClose} />
      </span>
    </search>
  );
}
