import {
  ChevronDown,
  ChevronUp,
  Download,
  FileWarning,
  MoveHorizontal,
  Search,
  ZoomIn,
  ZoomOut,
} from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Input, SearchField } from 'react-aria-components';
import { Button } from '../controls/Button.tsx';
import { Empty } from '../controls/Pieces.tsx';
import { saveBytes } from '../controls/save.ts';
import { words } from '../words/words.ts';
import { openReader, type Reader, type ReaderState } from './reader.ts';
import './pdf.css';

const text = words.statements.pdf;

interface PdfViewerProps {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** For saving. */
  readonly name: string;
  readonly note?: ReactNode;
}

/** A PDF: pages, zoom, find, text to select, and a copy to keep. */
export default function PdfViewer({ bytes, name, note }: PdfViewerProps) {
  const container = useRef<HTMLDivElement>(null);
  const [reader, setReader] = useState<Reader | null>(null);
  const [state, setState] = useState<ReaderState | null>(null);
  const [unreadable, setUnreadable] = useState(false);

  useEffect(() => {
    const element = container.current;
    if (!element) return;
    const ended = new AbortController();
    let opened: Reader | null = null;
    openReader(bytes, element, setState, ended.signal).then(
      (made) => {
        opened = made;
        if (ended.signal.aborted) made.close();
        else setReader(made);
      },
      () => {
        if (!ended.signal.aborted) setUnreadable(true);
      },
    );
    return () => {
      ended.abort();
      opened?.close();
    };
  }, [bytes]);

  const saving = (
    <Button
      kind="quiet"
      icon={Download}
      label={text.save}
      onPress={() => saveBytes(bytes, name, 'application/pdf')}
    />
  );
  if (unreadable) {
    return (
      <Empty icon={FileWarning} title={text.unreadableTitle} action={saving}>
        {text.unreadableText}
      </Empty>
    );
  }
  return (
    <section className="pdf" aria-label={text.viewer}>
      <div className="pdf-tools" role="toolbar" aria-label={text.toolbar}>
        {state && reader && <Tools state={state} reader={reader} />}
        <span className="pdf-note">{note}</span>
        {saving}
      </div>
      <div className="pdf-room">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
        <div ref={container} className="pdf-container" tabIndex={0} role="document" aria-label={name}>
          <div className="pdfViewer" />
        </div>
      </div>
    </section>
  );
}

function Tools({ state, reader }: { readonly state: ReaderState; readonly reader: Reader }) {
  const { page, pages, scale, match } = state;
  const [sought, setSought] = useState('');
  const find = (next: string, how: 'new' | 'next' | 'previous') => {
    setSought(next);
    reader.find(next, how);
  };
  const none = sought !== '' && match?.of === 0;
  return (
    <>
      <Button
        kind="quiet"
        icon={ChevronUp}
        label={text.previousPage}
        reason={page <= 1 ? text.firstPage : null}
        onPress={() => reader.goTo(page - 1)}
      />
      <Button
        kind="quiet"
        icon={ChevronDown}
        label={text.nextPage}
        reason={page >= pages ? text.lastPage : null}
        onPress={() => reader.goTo(page + 1)}
      />
      <PageField key={page} page={page} onGo={reader.goTo} />
      <span className="pdf-quiet">{text.of(pages)}</span>
      <span className="pdf-gap" />
      <Button kind="quiet" icon={ZoomOut} label={text.zoomOut} onPress={() => reader.zoom(-1)} />
      <span className="pdf-quiet pdf-scale">{Math.round(scale * 100)} %</span>
      <Button kind="quiet" icon={ZoomIn} label={text.zoomIn} onPress={() => reader.zoom(1)} />
      <Button kind="quiet" icon={MoveHorizontal} label={text.fitWidth} onPress={reader.fitWidth} />
      <span className="pdf-gap" />
      <SearchField
        className="filter-search pdf-find"
        aria-label={text.find}
        value={sought}
        onChange={(next) => find(next, 'new')}
        onSubmit={(next) => find(next, 'next')}
      >
        <Search size={14} aria-hidden="true" />
        <Input placeholder={text.find} />
      </SearchField>
      {sought !== '' && (
        <>
          <span className={none ? 'pdf-none' : 'pdf-quiet'} role="status">
            {none ? text.noMatch : match && text.matches(match.at, match.of)}
          </span>
          <Button
            kind="quiet"
            icon={ChevronUp}
            label={text.findPrevious}
            onPress={() => find(sought, 'previous')}
          />
          <Button
            kind="quiet"
            icon={ChevronDown}
            label={text.findNext}
            onPress={() => find(sought, 'next')}
          />
        </>
      )}
    </>
  );
}

function PageField({ page, onGo }: { readonly page: number; readonly onGo: (page: number) => void }) {
  const [typed, setTyped] = useState(String(page));
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (/^\d+$/.test(typed)) onGo(Number(typed));
        else setTyped(String(page));
      }}
    >
      <input
        className="pdf-page"
        aria-label={text.pages}
        inputMode="numeric"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => setTyped(String(page))}
      />
    </form>
  );
}
