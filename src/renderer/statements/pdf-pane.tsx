import { FileClock } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { type ErrorValue, errorOf, type Outputs, type Site } from '../../contract/index.ts';
import { useBackend } from '../backend-client/backend-hooks.ts';
import { useCommandContext } from '../commands/use-command-context.ts';
import { EmptyState } from '../controls/empty-state.tsx';
import { Skeleton } from '../controls/skeleton.tsx';
import { RelativeTime } from '../controls/values.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { formatError } from '../errors/error-texts.ts';
import { navigate, showNotice } from '../navigation/window-state.ts';
import { openAtMatch, useFindState } from '../pdf/find-state.ts';
import { printInElectron, printInNewWindow } from '../pdf/print-pdf.ts';
import { texts } from '../texts/texts.ts';
import { OtherPdfMatches } from './other-pdf-matches.tsx';
import { findNextStatement, toPdfSearch } from './pdf-search.ts';
import { useStatementList } from './statement-list-query.ts';

/** The viewer is large and seldom needed at once: it is loaded when a PDF is first opened. */
const PdfViewer = lazy(() => import('../pdf/pdf-viewer.tsx'));

type StoredPdf = Extract<Outputs['statements']['pdf'], { stored: true }>;
type PdfState =
  | { readonly state: 'loading' | 'fetching' | 'away' }
  | { readonly state: 'stored'; readonly bytes: Uint8Array<ArrayBuffer>; readonly pdf: StoredPdf }
  | { readonly state: 'failed'; readonly error: ErrorValue };

interface PdfPaneProps {
  readonly site: Site;
  readonly id: number;
  /** Whether what is sought is sought in the other statements of the list too. */
  readonly inList?: boolean;
}

/** The statement's PDF: from the archive, where it is not held from the service, and else why not. */
export function PdfPane(props: PdfPaneProps) {
  const [tries, setTries] = useState(0);
  return <PdfLoader key={tries} {...props} onRetry={() => setTries(tries + 1)} />;
}

function PdfLoader({ site, id, inList = false, onRetry }: PdfPaneProps & { readonly onRetry: () => void }) {
  const { connection } = useBackend();
  const { unavailableReason } = useCommandContext();
  const [stored, setHeld] = useState<PdfState>({ state: 'loading' });
  const offline = unavailableReason !== null;
  const now = useRef({ offline, onRetry });
  useEffect(() => {
    now.current = { offline, onRetry };
  });
  // What is shown stays as it is, whatever becomes of the network; what waits for it is asked for again.
  const back = stored.state === 'away' && !offline;
  useEffect(() => {
    if (back) now.current.onRetry();
  }, [back]);

  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    const show = (next: PdfState) => {
      if (!signal.aborted) setHeld(next);
    };
    const read = async (): Promise<PdfState> => {
      const at = { site: site.site, id };
      let pdf = await connection.client.statements.pdf(at, { signal });
      if (!pdf.stored) {
        if (now.current.offline) return { state: 'away' };
        show({ state: 'fetching' });
        pdf = await connection.client.statements.fetchPdf(at, { signal });
      }
      if (!pdf.stored) throw new Error('fetched, and yet not held');
      return { state: 'stored', bytes: await connection.readBlob(pdf.file.blob), pdf };
    };
    read().then(show, (thrown: unknown) => show({ state: 'failed', error: errorOf(thrown) }));
    return () => ended.abort();
  }, [connection, site.site, id]);

  switch (stored.state) {
    case 'loading':
      return <div className="pdf-wait" />;
    case 'fetching':
      return (
        <p className="tab-note" role="status">
          {texts.pdf.fetching}
        </p>
      );
    case 'away':
      return (
        <EmptyState icon={FileClock} title={texts.pdf.offlineTitle}>
          {texts.pdf.offlineText}
        </EmptyState>
      );
    case 'failed':
      return <ErrorMessage error={stored.error} onRetry={onRetry} />;
    case 'stored':
      return (
        <Suspense fallback={<Skeleton />}>
          <StoredPdfView site={site} id={id} inList={inList} bytes={stored.bytes} pdf={stored.pdf} />
        </Suspense>
      );
  }
}

interface StoredPdfViewProps extends Required<PdfPaneProps> {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly pdf: StoredPdf;
}

function StoredPdfView({ site, id, inList, bytes, pdf }: StoredPdfViewProps) {
  const { connection } = useBackend();
  const list = useStatementList(site.site);

  async function walk(backwards: boolean): Promise<boolean> {
    const sought = toPdfSearch(useFindState.getState());
    const to =
      sought &&
      (await findNextStatement(connection.client, { ...list, ...sought, start_after_id: id, backwards }));
    if (to === null) return false;
    openAtMatch({ name: texts.pdf.name(to), at: backwards ? 'last' : 'first' });
    navigate({ item: String(to) }, true);
    return true;
  }

  async function print(): Promise<void> {
    if (connection.shell() !== 'electron') {
      if (!printInNewWindow(bytes)) showNotice(texts.pdf.printBlocked, 'bad');
      return;
    }
    const again = await connection.client.statements.pdf({ site: site.site, id });
    if (again.stored) printInElectron(again.file.blob);
  }

  return (
    <PdfViewer
      bytes={bytes}
      file={pdf.sha256}
      name={texts.pdf.name(id)}
      note={
        <>
          {texts.pdf.archived} <RelativeTime at={pdf.fetched_at} />
        </>
      }
      {...(inList ? { otherDocuments: { walk, matchList: <OtherPdfMatches site={site} id={id} /> } } : {})}
      onPrint={() => void print().catch((thrown: unknown) => showNotice(formatError(errorOf(thrown)), 'bad'))}
    />
  );
}
