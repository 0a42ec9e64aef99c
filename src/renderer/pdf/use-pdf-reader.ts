import { type RefObject, useEffect, useState } from 'react';
import { useUserSettings } from '../user-settings/user-settings.ts';
import { openPdfDocument, UnreadablePdfError, type UnreadablePdfReason } from './open-pdf-document.ts';
import { type PdfReader, type PdfReaderState, showPdfDocument } from './pdf-reader.ts';
import { consumePdfSearchTarget, getPdfSearchTarget, usePdfSearchState } from './pdf-search-state.ts';
import { getSavedPdfPosition, savePdfPositionDebounced } from './saved-positions.ts';

interface PdfReaderOptions {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly file: string;
  readonly name: string;
  readonly container: RefObject<HTMLDivElement | null>;
}

/** Prompt for a document's password. `tries` counts the wrong passwords entered so far. */
export interface PdfPasswordPrompt {
  readonly tries: number;
  submit(password: string): void;
}

interface PdfReaderStatus {
  /** Reader of the open PDF, or null until the document has been opened. */
  readonly reader: PdfReader | null;
  readonly state: PdfReaderState | null;
  readonly unreadable: UnreadablePdfReason | null;
  readonly passwordPrompt: PdfPasswordPrompt | null;
}

const CLOSED: PdfReaderStatus = { reader: null, state: null, unreadable: null, passwordPrompt: null };

/** Opens a PDF in the container at its last reading position and applies the current search. */
export function usePdfReader({ bytes, file, name, container }: PdfReaderOptions): PdfReaderStatus {
  const [status, setStatus] = useState<PdfReaderStatus>(CLOSED);

  useEffect(() => {
    const element = container.current;
    if (!element) return;
    const controller = new AbortController();
    const { signal } = controller;
    const change = (part: Partial<PdfReaderStatus>) => {
      if (!signal.aborted) setStatus((now) => ({ ...now, ...part }));
    };
    setStatus(CLOSED);
    let tries = 0;
    const askPassword = (wrong: boolean) => {
      const { promise, resolve } = Promise.withResolvers<string>();
      tries = wrong ? tries + 1 : 0;
      const submit = (password: string) => {
        change({ passwordPrompt: null });
        resolve(password);
      };
      change({ passwordPrompt: { tries, submit } });
      return promise;
    };
    const open = async () => {
      const document = await openPdfDocument(bytes, { signal, askPassword });
      if (signal.aborted) return;
      const reader = await showPdfDocument(document, {
        container: element,
        position: getSavedPdfPosition(file),
        layout: useUserSettings.getState()['pdf.layout'],
        onState: (state) => change({ state }),
      });
      if (signal.aborted) return reader.close();
      signal.addEventListener('abort', () => reader.close(), { once: true });
      change({ reader });
    };
    open().catch((thrown: unknown) =>
      change({ unreadable: thrown instanceof UnreadablePdfError ? thrown.reason : 'broken' }),
    );
    return () => controller.abort();
  }, [bytes, file, container]);

  const { reader, state } = status;
  const { page, scale, fit, rotation } = state ?? {};
  // biome-ignore lint/correctness/useExhaustiveDependencies: these values determine the stored position
  useEffect(() => {
    if (reader) savePdfPositionDebounced(file, reader.position());
  }, [reader, file, page, scale, fit, rotation]);

  useFindInDocument(reader, name);
  return status;
}

/** Applies the window's search state to an open PDF. */
function useFindInDocument(reader: PdfReader | null, name: string): void {
  const findState = usePdfSearchState();
  const { open, words, eachWord, matchCase, wholeWord } = findState;
  const target = getPdfSearchTarget(name, findState);
  useEffect(() => {
    if (!reader || getPdfSearchTarget(name) !== null) return;
    if (open) reader.find({ words, eachWord, matchCase, wholeWord }, 'new');
    else reader.clear();
  }, [reader, name, open, words, eachWord, matchCase, wholeWord]);
  useEffect(() => {
    if (reader && target !== null)
      reader.find(usePdfSearchState.getState(), 'new', consumePdfSearchTarget(name));
  }, [reader, name, target]);
}
