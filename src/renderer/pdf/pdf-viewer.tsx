import { Download, FileWarning } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import { Button } from '../controls/button.tsx';
import { Empty } from '../controls/pieces.tsx';
import { saveBytes } from '../controls/save.ts';
import { notify } from '../view/view.ts';
import { words } from '../words/words.ts';
import { FindBar } from './find-bar.tsx';
import { changeFinding, openFinding, useFinding } from './finding.ts';
import { bringToFront, type InFront, useInFront } from './front.ts';
import { PasswordForm } from './password-form.tsx';
import { useSide } from './side.ts';
import { SidePanel } from './side-panel.tsx';
import { Tools } from './tools.tsx';
import { useReader } from './use-reader.ts';
import './pdf.css';

const text = words.pdf;

/** The other documents of the list that a PDF is opened from. */
export interface Beyond {
  /** Opens the next one, or the one before, that says what is sought; false where there is none. */
  walk(backwards: boolean): Promise<boolean>;
  /** Those that say it, to be listed. */
  readonly hits: ReactNode;
}

interface PdfViewerProps {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** SHA-256: under it page and size are remembered. */
  readonly file: string;
  /** For saving, and for who opens it to show a place in it. */
  readonly name: string;
  readonly note?: ReactNode;
  readonly beyond?: Beyond;
  readonly onPrint: () => void;
}

/** A PDF: pages, size, find, text to select, small pictures and outline, print, and a copy to keep. */
export default function PdfViewer({ bytes, file, name, note, beyond, onPrint }: PdfViewerProps) {
  const container = useRef<HTMLDivElement>(null);
  const sideOf = beyond ? 'pdf' : 'pdfs';
  const side = useSide(sideOf);
  const finding = useFinding();
  const { reader, state, unreadable, locked } = useReader({ bytes, file, name, container });
  const save = () => saveBytes(bytes, name, 'application/pdf');

  function walk(backwards: boolean): void {
    const sought = useFinding.getState();
    const match = reader?.match() ?? null;
    const past = match?.whole === true && (backwards ? match.at <= 1 : match.at >= match.of);
    if (sought.words.trim() === '') openFinding();
    else if (past && beyond && sought.across) void walkBeyond(beyond, backwards);
    else reader?.find(sought, backwards ? 'previous' : 'next');
  }

  const front: InFront | null = reader && state && { reader, state, sideOf, walk, print: onPrint, save };
  useInFront(front);

  const saving = (
    <Button kind="plain" icon={Download} onPress={save}>
      {text.save}
    </Button>
  );
  if (unreadable) {
    return (
      <Empty icon={FileWarning} title={text.unreadableTitle} action={saving}>
        {text.unreadable[unreadable]}
      </Empty>
    );
  }

  function press(event: KeyboardEvent): void {
    const mod = event.ctrlKey || event.metaKey;
    if (mod && event.key === 'f') openFinding(chosenText());
    else if (mod && event.key === 'a' && container.current?.contains(event.target as Node))
      getSelection()?.selectAllChildren(container.current);
    else if (event.key === 'F3') walk(event.shiftKey);
    else if (event.key === 'Escape' && finding.open) changeFinding({ open: false });
    else return;
    event.preventDefault();
    event.stopPropagation();
  }

  return (
    <section
      className="pdf"
      aria-label={text.viewer}
      onKeyDown={press}
      onFocus={() => front && bringToFront(front)}
    >
      {front && <Tools front={front} side={side} note={note} />}
      {front && finding.open && (
        <FindBar
          front={front}
          side={side}
          across={beyond !== undefined}
          onClose={() => {
            changeFinding({ open: false });
            container.current?.focus();
          }}
        />
      )}
      <div className="pdf-body">
        {front && side && (
          <SidePanel
            of={sideOf}
            side={side}
            reader={front.reader}
            state={front.state}
            beyond={beyond?.hits}
          />
        )}
        <div className="pdf-room">
          {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys */}
          <div ref={container} className="pdf-container" tabIndex={0} role="document" aria-label={name}>
            <div className="pdfViewer" />
          </div>
          {locked && (
            <div className="pdf-locked">
              <PasswordForm
                key={locked.tries}
                wrong={locked.tries > 0}
                onGive={locked.give}
                saving={saving}
              />
            </div>
          )}
        </div>
      </div>
    </section>
  );
}

async function walkBeyond(beyond: Beyond, backwards: boolean): Promise<void> {
  try {
    if (!(await beyond.walk(backwards))) notify(backwards ? text.noneBefore : text.noneBehind);
  } catch {
    notify(text.notWalked, 'bad');
  }
}

/** What the person has marked on a page, to be sought. */
function chosenText(): string | undefined {
  const chosen = getSelection()?.toString().trim() ?? '';
  return chosen === '' || chosen.includes('\n') || chosen.length > 200 ? undefined : chosen;
}
