import { Download, FileWarning } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { Button } from '../controls/button.tsx';
import { downloadBytes } from '../controls/download-file.ts';
import { EmptyState } from '../controls/empty-state.tsx';
import { showNotice } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { type ActiveViewer, setActiveViewer, useActiveViewer } from './active-viewer.ts';
import { FindBar } from './find-bar.tsx';
import { openFindBar, updateFindState, useFindState } from './find-state.ts';
import { PasswordForm } from './password-form.tsx';
import type { PdfReader } from './pdf-reader.ts';
import { SidePanel } from './side-panel.tsx';
import { useSidePanelTab } from './side-panel-state.ts';
import { type PasswordPrompt, usePdfReader } from './use-reader.ts';
import { ViewerToolbar } from './viewer-toolbar.tsx';
import './pdf.css';

const text = texts.pdf;

/** Other documents in the list from which a PDF was opened. */
interface OtherDocuments {
  /** Opens the next or previous document that matches the search. Resolves to false if there is none. */
  walk(backwards: boolean): Promise<boolean>;
  /** Rendered list of the other documents that match the search. */
  readonly matchList: ReactNode;
}

interface PdfViewerProps {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** SHA-256 of the file. The reading position is stored under it. */
  readonly file: string;
  /** File name used for saving. It also identifies the document for search targets. */
  readonly name: string;
  readonly note?: ReactNode;
  readonly otherDocuments?: OtherDocuments;
  readonly onPrint: () => void;
}

/** PDF viewer with page navigation, zoom, search, text selection, thumbnails, outline, printing, and download. */
export default function PdfViewer(props: PdfViewerProps) {
  const { bytes, file, name, note, otherDocuments, onPrint } = props;
  const container = useRef<HTMLDivElement>(null);
  const sidePanelOwner = otherDocuments ? 'pdf' : 'pdfs';
  const sidePanelTab = useSidePanelTab(sidePanelOwner);
  const isFindBarOpen = useFindState((state) => state.open);
  const { reader, state, unreadable, passwordPrompt } = usePdfReader({ bytes, file, name, container });
  const save = () => downloadBytes(bytes, name, 'application/pdf');
  const goToMatch = (backwards: boolean) => continueSearch(reader, otherDocuments, backwards);

  const viewer: ActiveViewer | null = reader &&
    state && { reader, state, sidePanelOwner, goToMatch, print: onPrint, save };
  useActiveViewer(viewer);

  const saveButton = (
    <Button kind="plain" icon={Download} onPress={save}>
      {text.save}
    </Button>
  );
  if (unreadable) {
    return (
      <EmptyState
        icon={FileWarning}
        title={text.unreadableTitle}
        action={saveButton}
        text={text.unreadable[unreadable]}
      />
    );
  }
  return (
    <section
      className="pdf"
      aria-label={text.viewer}
      onKeyDown={(event) => handleViewerKey(event, container.current, goToMatch)}
      onFocus={() => viewer && setActiveViewer(viewer)}
    >
      {viewer && <ViewerToolbar viewer={viewer} side={sidePanelTab} note={note} />}
      {viewer && isFindBarOpen && (
        <FindBar
          viewer={viewer}
          side={sidePanelTab}
          hasOtherDocuments={otherDocuments !== undefined}
          onClose={() => {
            updateFindState({ open: false });
            container.current?.focus();
          }}
        />
      )}
      <div className="pdf-body">
        {viewer && sidePanelTab && (
          <SidePanel
            owner={sidePanelOwner}
            side={sidePanelTab}
            reader={viewer.reader}
            state={viewer.state}
            otherDocumentMatches={otherDocuments?.matchList}
          />
        )}
        <div className="pdf-pages-area">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be focusable */}
          <div ref={container} className="pdf-container" tabIndex={0} role="document" aria-label={name}>
            <div className="pdfViewer" />
          </div>
          {passwordPrompt && <PasswordPromptForm prompt={passwordPrompt} saveButton={saveButton} />}
        </div>
      </div>
    </section>
  );
}

interface PasswordPromptFormProps {
  readonly prompt: PasswordPrompt;
  readonly saveButton: ReactNode;
}

function PasswordPromptForm({ prompt, saveButton }: PasswordPromptFormProps) {
  return (
    <div className="pdf-locked">
      <PasswordForm key={prompt.tries} wrong={prompt.tries > 0} onGive={prompt.submit} saving={saveButton} />
    </div>
  );
}

function handleViewerKey(
  event: KeyboardEvent,
  container: HTMLElement | null,
  goToMatch: (backwards: boolean) => void,
): void {
  const hasModifier = event.ctrlKey || event.metaKey;
  if (hasModifier && event.key === 'f') openFindBar(selectedText());
  else if (hasModifier && event.key === 'a' && container?.contains(event.target as Node))
    getSelection()?.selectAllChildren(container);
  else if (event.key === 'F3') goToMatch(event.shiftKey);
  else if (event.key === 'Escape' && useFindState.getState().open) updateFindState({ open: false });
  else return;
  event.preventDefault();
  event.stopPropagation();
}

/** Goes to the next or previous match. After the last match of this document, continues in another document. */
function continueSearch(
  reader: PdfReader | null,
  otherDocuments: OtherDocuments | undefined,
  backwards: boolean,
): void {
  const query = useFindState.getState();
  const match = reader?.match() ?? null;
  const isAtEnd = match?.isComplete === true && (backwards ? match.at <= 1 : match.at >= match.of);
  if (query.words.trim() === '') openFindBar();
  else if (isAtEnd && otherDocuments && query.searchesOtherDocuments)
    void openNextMatchingDocument(otherDocuments, backwards);
  else reader?.find(query, backwards ? 'previous' : 'next');
}

async function openNextMatchingDocument(otherDocuments: OtherDocuments, backwards: boolean): Promise<void> {
  try {
    if (!(await otherDocuments.walk(backwards)))
      showNotice(backwards ? text.noEarlierMatch : text.noLaterMatch);
  } catch {
    showNotice(text.searchFailed, 'bad');
  }
}

/** Returns the selected text if it is suitable as a search text. */
function selectedText(): string | undefined {
  const chosen = getSelection()?.toString().trim() ?? '';
  return chosen === '' || chosen.includes('\n') || chosen.length > 200 ? undefined : chosen;
}
