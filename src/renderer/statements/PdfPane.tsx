import { FileClock } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { type ErrorValue, errorOf, type Site } from '../../contract/index.ts';
import { useBackend } from '../backend/hooks.ts';
import { useCommandContext } from '../commands/useCommands.tsx';
import { Empty, Skeleton } from '../controls/Pieces.tsx';
import { Ago } from '../controls/Values.tsx';
import { ErrorNote } from '../errors/ErrorNote.tsx';
import { words } from '../words/words.ts';

/** The viewer is large and seldom needed at once: it is loaded when a PDF is first opened. */
const PdfViewer = lazy(() => import('../pdf/PdfViewer.tsx'));

type Held =
  | { readonly state: 'loading' | 'fetching' | 'away' }
  | { readonly state: 'held'; readonly bytes: Uint8Array<ArrayBuffer>; readonly fetchedAt: string }
  | { readonly state: 'failed'; readonly error: ErrorValue };

interface PdfPaneProps {
  readonly site: Site;
  readonly id: number;
}

/** The statement's PDF: from the archive, where it is not held from the service, and else why not. */
export function PdfPane(props: PdfPaneProps) {
  const [tries, setTries] = useState(0);
  return <Attempt key={tries} {...props} onRetry={() => setTries(tries + 1)} />;
}

function Attempt({ site, id, onRetry }: PdfPaneProps & { readonly onRetry: () => void }) {
  const { connection } = useBackend();
  const { away } = useCommandContext();
  const [held, setHeld] = useState<Held>({ state: 'loading' });
  const offline = away !== null;

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
        if (offline) return { state: 'away' };
        show({ state: 'fetching' });
        pdf = await connection.client.statements.fetchPdf(at, { signal });
      }
      if (!pdf.held) return { state: 'away' };
      return { state: 'held', bytes: await connection.readBlob(pdf.file.blob), fetchedAt: pdf.fetched_at };
    };
    read().then(show, (thrown: unknown) => show({ state: 'failed', error: errorOf(thrown) }));
    return () => ended.abort();
  }, [connection, site.site, id, offline]);

  switch (held.state) {
    case 'loading':
      return <div className="pdf-wait" />;
    case 'fetching':
      return (
        <p className="tab-note" role="status">
          {words.statements.pdf.fetching}
        </p>
      );
    case 'away':
      return (
        <Empty icon={FileClock} title={words.statements.pdf.offlineTitle}>
          {words.statements.pdf.offlineText}
        </Empty>
      );
    case 'failed':
      return <ErrorNote error={held.error} onRetry={onRetry} />;
    case 'held':
      return (
        <Suspense fallback={<Skeleton />}>
          <PdfViewer
            bytes={held.bytes}
            name={words.statements.pdf.name(id)}
            note={
              <>
                {words.statements.pdf.archived} <Ago at={held.fetchedAt} />
              </>
            }
          />
        </Suspense>
      );
  }
}
