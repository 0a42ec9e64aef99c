import { FileClock } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { type ContractOutputs, type ErrorValue, type Site, toContractError } from '../../contract/index.ts';
import { useBackend } from '../backend-client/backend-hooks.ts';
import { useCommandContext } from '../commands/use-command-context.ts';
import { EmptyState } from '../controls/empty-state.tsx';
import { RelativeTime } from '../controls/formatted-values.tsx';
import { Skeleton } from '../controls/skeleton.tsx';
import { ErrorMessage } from '../errors/error-message.tsx';
import { navigate } from '../navigation/window-state.ts';
import { openPdfFindBarAtMatch, usePdfSearchState } from '../pdf/pdf-search-state.ts';
import { texts } from '../texts/texts.ts';
import { findNextMatchingStatement, OtherPdfMatches, toPdfSearch } from './other-pdf-matches.tsx';
import { useStatementListQuery } from './statement-list-query.ts';

/** The PDF viewer is large and rarely needed at startup, so it is loaded when the first PDF is opened. */
const PdfViewer = lazy(() => import('../pdf/pdf-viewer.tsx'));

type StoredPdf = Extract<ContractOutputs['statements']['pdf'], { stored: true }>;
type PdfState =
  | { readonly state: 'loading' | 'downloading' | 'offline' }
  | { readonly state: 'stored'; readonly bytes: Uint8Array<ArrayBuffer>; readonly pdf: StoredPdf }
  | { readonly state: 'failed'; readonly error: ErrorValue };

interface PdfPaneProps {
  readonly site: Site;
  readonly id: number;
  /** True if a search continues in the PDFs of the list's other statements. */
  readonly inList?: boolean;
}

/** Shows the PDF of a statement, which may have to be downloaded first, or the reason why it is unavailable. */
export function PdfPane(props: PdfPaneProps) {
  const [attempt, setAttempt] = useState(0);
  return <PdfLoader key={attempt} {...props} onRetry={() => setAttempt(attempt + 1)} />;
}

function PdfLoader({ site, id, inList = false, onRetry }: PdfPaneProps & { readonly onRetry: () => void }) {
  const { connection } = useBackend();
  const { unavailableReason } = useCommandContext();
  const [pdfState, setPdfState] = useState<PdfState>({ state: 'loading' });
  const offline = unavailableReason !== null;
  const latest = useRef({ offline, onRetry });
  useEffect(() => {
    latest.current = { offline, onRetry };
  });
  // Requests a missing PDF again when the service responds. A PDF that is already shown stays visible.
  const canRetry = pdfState.state === 'offline' && !offline;
  useEffect(() => {
    if (canRetry) latest.current.onRetry();
  }, [canRetry]);

  useEffect(() => {
    const controller = new AbortController();
    const { signal } = controller;
    const show = (next: PdfState) => {
      if (!signal.aborted) setPdfState(next);
    };
    const read = async (): Promise<PdfState> => {
      const ref = { site: site.site, id };
      let pdf = await connection.client.statements.pdf(ref, { signal });
      if (!pdf.stored) {
        if (latest.current.offline) return { state: 'offline' };
        show({ state: 'downloading' });
        pdf = await connection.client.statements.fetchPdf(ref, { signal });
      }
      if (!pdf.stored) throw new Error('The PDF was downloaded but is not stored.');
      return { state: 'stored', bytes: await connection.readBlob(pdf.file.blob), pdf };
    };
    read().then(show, (thrown: unknown) => show({ state: 'failed', error: toContractError(thrown) }));
    return () => controller.abort();
  }, [connection, site.site, id]);

  switch (pdfState.state) {
    case 'loading':
      return <div className="pdf-wait" />;
    case 'downloading':
      return (
        <p className="tab-note" role="status">
          {texts.pdf.fetching}
        </p>
      );
    case 'offline':
      return <EmptyState icon={FileClock} title={texts.pdf.offlineTitle} text={texts.pdf.offlineText} />;
    case 'failed':
      return <ErrorMessage error={pdfState.error} onRetry={onRetry} />;
    case 'stored':
      return (
        <Suspense fallback={<Skeleton />}>
          <StoredPdfView site={site} id={id} inList={inList} bytes={pdfState.bytes} pdf={pdfState.pdf} />
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
  const list = useStatementListQuery(site.site);

  async function openNextMatch(backwards: boolean): Promise<boolean> {
    const search = toPdfSearch(usePdfSearchState.getState());
    const to =
      search &&
      (await findNextMatchingStatement(connection.client, {
        ...list,
        ...search,
        start_after_id: id,
        backwards,
      }));
    if (to === null) return false;
    openPdfFindBarAtMatch({ name: texts.pdf.name(to), at: backwards ? 'last' : 'first' });
    navigate({ item: String(to) }, true);
    return true;
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
      {...(inList
        ? { otherDocuments: { walk: openNextMatch, matchList: <OtherPdfMatches site={site} id={id} /> } }
        : {})}
    />
  );
}
