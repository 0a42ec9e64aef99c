import { create } from 'zustand';

/** Which match is to be in front where a document is opened to show one. */
export type Arrival =
  | { readonly at: 'first' | 'last' }
  /** The first on this page, or behind it. */
  | { readonly page: number };

/** What is sought in PDFs: kept while the window is open, so that it goes along from one document to the next. */
export interface Finding {
  /** Whether the bar is shown. */
  readonly open: boolean;
  readonly words: string;
  readonly matchCase: boolean;
  readonly wholeWord: boolean;
  /** Past the last match of a document, the next one is sought in the next document. */
  readonly across: boolean;
  /** For the document that is opened next, once. */
  readonly arrival: Arrival | null;
  /** Raised to put the cursor into the field. */
  readonly focus: number;
}

export const useFinding = create<Finding>(() => ({
  open: false,
  words: '',
  matchCase: false,
  wholeWord: false,
  across: true,
  arrival: null,
  focus: 0,
}));

export function changeFinding(part: Partial<Finding>): void {
  useFinding.setState(part);
}

/** Opens the bar, with the words, and puts the cursor there unless a match is to be shown. */
export function openFinding(words?: string, arrival: Arrival | null = null): void {
  useFinding.setState((now) => ({
    open: true,
    ...(words === undefined ? {} : { words }),
    arrival,
    focus: arrival === null ? now.focus + 1 : now.focus,
  }));
}

/** The arrival that was waiting; it is taken up once. */
export function takeArrival(): Arrival | null {
  const { arrival } = useFinding.getState();
  if (arrival) useFinding.setState({ arrival: null });
  return arrival;
}
