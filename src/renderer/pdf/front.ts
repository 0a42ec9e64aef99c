import { useEffect, useRef } from 'react';
import { create } from 'zustand';
import { choose } from '../settings/chosen.ts';
import type { Layout, Reader, ReaderState } from './reader.ts';
import type { SideOf } from './side.ts';

/** The PDF that keys and commands act on: the one looked at last. */
export interface InFront {
  readonly reader: Reader;
  readonly state: ReaderState;
  readonly sideOf: SideOf;
  /** To the next or the previous match, in another document where this one has no more. */
  walk(backwards: boolean): void;
  print(): void;
  save(): void;
}

export const useFront = create<{ readonly front: InFront | null }>(() => ({ front: null }));

export function bringToFront(front: InFront): void {
  useFront.setState({ front });
}

/** A document comes to the front when it is shown, stays up to date there, and leaves with its viewer. */
export function useInFront(front: InFront | null): void {
  const known = useRef<Reader | null>(null);
  const reader = front?.reader ?? null;
  useEffect(() => {
    if (!front) return;
    const now = useFront.getState().front;
    if (known.current !== front.reader || now === null || now.reader === front.reader) bringToFront(front);
    known.current = front.reader;
  });
  useEffect(() => {
    if (reader === null) return;
    return () => useFront.setState((now) => (now.front?.reader === reader ? { front: null } : now));
  }, [reader]);
}

/** Lays the pages out so, here and in every PDF opened later. */
export function setLayout(reader: Reader, layout: Layout): void {
  reader.setLayout(layout);
  choose('pdf.layout', layout);
}
