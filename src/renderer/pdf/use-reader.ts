import { type RefObject, useEffect, useState } from 'react';
import { useChosen } from '../settings/chosen.ts';
import { openDocument, type Unreadable, UnreadableError } from './document.ts';
import { arrivalOf, takeArrival, useFinding } from './finding.ts';
import { keepPlace, placeIn } from './places.ts';
import { type Reader, type ReaderState, showDocument } from './reader.ts';

interface UseReader {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly file: string;
  readonly name: string;
  readonly container: RefObject<HTMLDivElement | null>;
}

/** A document that waits for its password. */
interface Locked {
  readonly tries: number;
  give(password: string): void;
}

interface Read {
  /** Null until the document is shown. */
  readonly reader: Reader | null;
  readonly state: ReaderState | null;
  readonly unreadable: Unreadable | null;
  readonly locked: Locked | null;
}

const NOTHING: Read = { reader: null, state: null, unreadable: null, locked: null };

/** The document of these bytes, shown in the container, where it was left last time; and what is sought in it. */
export function useReader({ bytes, file, name, container }: UseReader): Read {
  const [read, setRead] = useState<Read>(NOTHING);

  useEffect(() => {
    const element = container.current;
    if (!element) return;
    const ended = new AbortController();
    const { signal } = ended;
    const change = (part: Partial<Read>) => {
      if (!signal.aborted) setRead((now) => ({ ...now, ...part }));
    };
    setRead(NOTHING);
    let tries = 0;
    const askPassword = (wrong: boolean) => {
      const { promise, resolve } = Promise.withResolvers<string>();
      tries = wrong ? tries + 1 : 0;
      const give = (password: string) => {
        change({ locked: null });
        resolve(password);
      };
      change({ locked: { tries, give } });
      return promise;
    };
    const open = async () => {
      const document = await openDocument(bytes, { signal, askPassword });
      if (signal.aborted) return;
      const reader = await showDocument(document, {
        container: element,
        place: placeIn(file),
        layout: useChosen.getState()['pdf.layout'],
        show: (state) => change({ state }),
      });
      if (signal.aborted) return reader.close();
      signal.addEventListener('abort', () => reader.close(), { once: true });
      change({ reader });
    };
    open().catch((thrown: unknown) =>
      change({ unreadable: thrown instanceof UnreadableError ? thrown.why : 'broken' }),
    );
    return () => ended.abort();
  }, [bytes, file, container]);

  const { reader, state } = read;
  const { page, scale, fit, rotation } = state ?? {};
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is kept is what these say
  useEffect(() => {
    if (reader) keepPlace(file, reader.place());
  }, [reader, file, page, scale, fit, rotation]);

  useSought(reader, name);
  return read;
}

/** Seeks in a document what is to be found in all of them. */
function useSought(reader: Reader | null, name: string): void {
  const finding = useFinding();
  const { open, words, matchCase, wholeWord } = finding;
  const arrival = arrivalOf(name, finding);
  useEffect(() => {
    if (!reader || arrivalOf(name) !== null) return;
    if (open) reader.find({ words, matchCase, wholeWord }, 'new');
    else reader.clear();
  }, [reader, name, open, words, matchCase, wholeWord]);
  useEffect(() => {
    if (reader && arrival !== null) reader.find(useFinding.getState(), 'new', takeArrival(name));
  }, [reader, name, arrival]);
}
