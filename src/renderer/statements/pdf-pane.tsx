import { FileClock } from 'lucide-react';
import { lazy, Suspense, useEffect, useRef, useState } from 'react';
import { type ErrorValue, errorOf, type Outputs, type Site } from '../../contract/index.ts';
import { useBackend } from '../backend/hooks.ts';
import { useCommandContext } from '../commands/use-commands.tsx';
import { Empty, Skeleton } from '../controls/pieces.tsx';
import { Ago } from '../controls/values.tsx';
import { ErrorNote } from '../errors/error-note.tsx';
import { errorLine } from '../errors/error-words.ts';
import { arriveAt, useFinding } from '../pdf/finding.ts';
import { printBytes, printOffered } from '../pdf/print.ts';
import { go, notify } from '../view/view.ts';
import { words } from '../words/words.ts';
import { nextSaying, soughtIn } from './beyond.ts';
import { BeyondHits } from './beyond-hits.tsx';
import { useStatementList } from './order.ts';

/** The viewer is large and seldom needed at once: it is loaded when a PDF is first opened. */
const PdfViewer = lazy(() => import('../pdf/pdf-viewer.tsx'));

type HeldPdf = Extract<Outputs['statements']['pdf'], { held: true }>;
type Held =
  | { readonly state: 'loading' | 'fetching' | 'away' }
  | { readonly state: 'held'; readonly bytes: Uint8Array<ArrayBuffer>; readonly pdf: HeldPdf }
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
  return <Attempt key={tries} {...props} onRetry={() => setTries(tries + 1)} />;
}

function Attempt({ site, id, inList = false, onRetry }: PdfPaneProps & { readonly onRetry: () => void }) {
  const { connection } = useBackend();
  const { away } = useCommandContext();
  const [held, setHeld] = useState<Held>({ state: 'loading' });
  const offline = away !== null;
  const now = useRef({ offline, onRetry });
  useEffect(() => {
    now.current = { offline, onRetry };
  });
  // What is shown stays as it is, whatever becomes of the network; what waits for it is asked for again.
  const back = held.state === 'away' && !offline;
  useEffect(() => {
    if (back) now.current.onRetry();
  }, [back]);

  useEffect(() => {
    const ended = new AbortController();
    const { signal } = ended;
    const show = (next: Held) => {
      if (!signal.aborted) setHeld(next);
    };
    const read = async (): Promise<Held> => {
      const at = { site: site.site, id };
      let pdf = await connection.client.statements.pdf(at, { signal });
      if (!pdf.held) {
        if (now.current.offline) return { state: 'away' };
        show({ state: 'fetching' });
        pdf = await connection.client.statements.fetchPdf(at, { signal });
      }
      if (!pdf.held) throw new Error('fetched, and yet not held');
      return { state: 'held', bytes: await connection.readBlob(pdf.file.blob), pdf };
    };
    read().then(show, (thrown: unknown) => show({ state: 'failed', error: errorOf(thrown) }));
    return () => ended.abort();
  }, [connection, site.site, id]);

  switch (held.state) {
    case 'loading':
      return <div className="pdf-wait" />;
    case 'fetching':
      return (
        <p className="tab-note" role="status">
          {words.pdf.fetching}
        </p>
      );
    case 'away':
      return (
        <Empty icon={FileClock} title={words.pdf.offlineTitle}>
          {words.pdf.offlineText}
        </Empty>
      );
    case 'failed':
      return <ErrorNote error={held.error} onRetry={onRetry} />;
    case 'held':
      return (
        <Suspense fallback={<Skeleton />}>
          <HeldPdfView site={site} id={id} inList={inList} bytes={held.bytes} pdf={held.pdf} />
        </Suspense>
      );
  }
}

interface HeldPdfViewProps extends Required<PdfPaneProps> {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly pdf: HeldPdf;
}

function HeldPdfView({ site, id, inList, bytes, pdf }: HeldPdfViewProps) {
  const { connection } = useBackend();
  const list = useStatementList(site.site);

  async function walk(backwards: boolean): Promise<boolean> {
    const sought = soughtIn(useFinding.getState());
    const to = sought && (await nextSaying(connection.client, { ...list, ...sought, beside: id, backwards }));
    if (to === null) return false;
    arriveAt({ name: words.pdf.name(to), at: backwards ? 'last' : 'first' });
    go({ item: String(to) }, true);
    return true;
  }

  async function print(): Promise<void> {
    if (connection.shell() !== 'electron') {
      if (!printBytes(bytes)) notify(words.pdf.printBlocked, 'bad');
      return;
    }
    const again = await connection.client.statements.pdf({ site: site.site, id });
    if (again.held) printOffered(again.file.blob);
  }

  return (
    <PdfViewer
      bytes={bytes}
      file={pdf.sha256}
      name={words.pdf.name(id)}
      note={
        <>
          {words.pdf.archived} <Ago at={pdf.fetched_at} />
        </>
      }
      {...(inList ? { beyond: { walk, hits: <BeyondHits site={site} id={id} /> } } : {})}
      onPrint={() => void print().catch((thrown: unknown) => notify(errorLine(errorOf(thrown)), 'bad'))}
    />
  );
}
