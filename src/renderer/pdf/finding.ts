import { create } from 'zustand';

/** Which match is to be in front where a document is opened to show one. */
export type Arrival = {
  /** The document, by its name: another one that is still shown meanwhile does not take it. */
  readonly name: string;
} & (
  | { readonly at: 'first' | 'last' }
  /** The first on this page, or behind it. */
  | { readonly page: number }
);

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
  /** Whether the cursor is to be put into the field, once. */
  readonly toField: boolean;
}

export const useFinding = create<Finding>(() => ({
  open: false,
  words: '',
  matchCase: false,
  wholeWord: false,
  across: true,
  arrival: null,
  toField: false,
}));

export function changeFinding(part: Partial<Finding>): void {
  useFinding.setState(part);
}

/** Opens the bar, with these words or those it has, and puts the cursor there. */
export function openFinding(words?: string): void {
  useFinding.setState({ open: true, toField: true, ...(words === undefined ? {} : { words }) });
}

/** Says which match the document that is opened next shows. Who types in the field goes on typing in the next one's. */
export function arriveAt(arrival: Arrival, words?: string): void {
  const toField = document.activeElement?.closest('.pdf-findbar') != null;
  useFinding.setState({ open: true, arrival, toField, ...(words === undefined ? {} : { words }) });
}

/** The arrival that is waiting for the document of this name; null where none is. */
export function arrivalOf(name: string, { arrival }: Finding = useFinding.getState()): Arrival | null {
  return arrival?.name === name ? arrival : null;
}

/** The arrival that was waiting for the document of this name; it is taken up once. */
export function takeArrival(name: string): Arrival | null {
  const arrival = arrivalOf(name);
  if (arrival) useFinding.setState({ arrival: null });
  return arrival;
}
