import { Download, FileWarning } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { toContractError } from '../../contract/index.ts';
import { Button } from '../controls/button.tsx';
import { EmptyState } from '../controls/empty-state.tsx';
import { formatError } from '../errors/error-texts.ts';
import { showNotice } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { printPdf } from '../window-shell/print-pdf.ts';
import { saveFile } from '../window-shell/save-file.ts';
import { type ActivePdfViewer, setActivePdfViewer, useActivePdfViewer } from './active-viewer.ts';
import { PdfFindBar } from './find-bar.tsx';
import { PdfPasswordForm } from './password-form.tsx';
import type { PdfReader } from './pdf-reader.ts';
import { openPdfFindBar, updatePdfSearchState, usePdfSearchState } from './pdf-search-state.ts';
import { PdfSidePanel } from './side-panel.tsx';
import { usePdfSidePanelTab } from './side-panel-state.ts';
import { type PdfPasswordPrompt, usePdfReader } from './use-pdf-reader.ts';
import { PdfViewerToolbar } from './viewer-toolbar.tsx';
import './pdf.css';

const text = texts.pdf;

/** Other documents in the list from which a PDF was opened. */
interface OtherDocuments {
  /** Opens the next or previous document that matches the search. Resolves to false if there is none. */
  walk(backwards: boolean): Promise<boolean>;
  /** Rendered list of the other documents that match the search. */
  readonly matchList: ReactNode;
}

function showFailure(thrown: unknown): void {
  showNotice(formatError(toContractError(thrown)), 'bad');
}

interface PdfViewerProps {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** SHA-256 of the file, under which the reading position is stored. */
  readonly file: string;
  /** File name used for saving. It also identifies the document for search targets. */
  readonly name: string;
  readonly note?: ReactNode;
  readonly otherDocuments?: OtherDocuments;
}

/** PDF viewer with page navigation, zoom, search, text selection, thumbnails, outline, printing, and download. */
export default function PdfViewer(props: PdfViewerProps) {
  const { bytes, file, name, note, otherDocuments } = props;
  const container = useRef<HTMLDivElement>(null);
  const sidePanelOwner = otherDocuments ? 'pdf' : 'pdfs';
  const sidePanelTab = usePdfSidePanelTab(sidePanelOwner);
  const isFindBarOpen = usePdfSearchState((state) => state.open);
  const { reader, state, unreadable, passwordPrompt } = usePdfReader({ bytes, file, name, container });
  const save = () => void saveFile({ bytes, name, type: 'application/pdf' }).catch(showFailure);
  const print = () => void printPdf(name, bytes).catch(showFailure);
  const goToMatch = (backwards: boolean) => continueSearch(reader, otherDocuments, backwards);

  const viewer: ActivePdfViewer | null = reader &&
    state && { reader, state, sidePanelOwner, goToMatch, print, save };
  useActivePdfViewer(viewer);

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
      onFocus={() => viewer && setActivePdfViewer(viewer)}
    >
      {viewer ? (
        <PdfViewerToolbar viewer={viewer} side={sidePanelTab} note={note} />
      ) : (
        <div className="pdf-tools" />
      )}
      {viewer && isFindBarOpen && (
        <PdfFindBar
          viewer={viewer}
          side={sidePanelTab}
          hasOtherDocuments={otherDocuments !== undefined}
          onClose={() => {
            updatePdfSearchState({ open: false });
            container.current?.focus();
          }}
        />
      )}
      <div className="pdf-body">
        {viewer && sidePanelTab && (
          <PdfSidePanel
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
  readonly prompt: PdfPasswordPrompt;
  readonly saveButton: ReactNode;
}

function PasswordPromptForm({ prompt, saveButton }: PasswordPromptFormProps) {
  return (
    <div className="pdf-locked">
      <PdfPasswordForm
        key={prompt.tries}
        wrong={prompt.tries > 0}
        onGive={prompt.submit}
        saving={saveButton}
      />
    </div>
  );
}

function handleViewerKey(
  event: KeyboardEvent,
  container: HTMLElement | null,
  goToMatch: (backwards: boolean) => void,
): void {
  const hasModifier = event.ctrlKey || event.metaKey;
  if (hasModifier && event.key === 'f') openPdfFindBar(selectedText());
  else if (hasModifier && event.key === 'a' && container?.contains(event.target as Node))
    getSelection()?.selectAllChildren(container);
  else if (event.key === 'F3') goToMatch(event.shiftKey);
  else if (event.key === 'Escape' && usePdfSearchState.getState().open) updatePdfSearchState({ open: false });
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
  const query = usePdfSearchState.getState();
  const match = reader?.match() ?? null;
  const isAtEnd = match?.isComplete === true && (backwards ? match.at <= 1 : match.at >= match.of);
  if (query.words.trim() === '') openPdfFindBar();
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
