import { type ReactNode, useRef } from 'react';
import { choose, useChosen } from '../settings/chosen.ts';
import { useView } from '../view/view.ts';
import { words } from '../words/words.ts';
import './screen.css';

interface ScreenProps {
  readonly title: string;
  /** The screen's buttons. */
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A screen's head and body. */
export function Screen({ title, actions, children }: ScreenProps) {
  return (
    <div className="screen">
      <header className="screen-head">
        <h1>{title}</h1>
        <div className="screen-actions">{actions}</div>
      </header>
      {children}
    </div>
  );
}

interface BesideProps {
  /** Under this name the width is remembered. */
  readonly name: string;
  readonly list: ReactNode;
  readonly detail: ReactNode | null;
  readonly width: number;
}

const NARROWEST = 320;
const STEP = 24;

/** A list with the open detail beside it; the line between them can be moved. */
export function Beside({ name, list, detail, width }: BesideProps) {
  const chosen = useChosen((all) => all.panes[name]) ?? width;
  const expanded = useView((view) => view.expanded);
  const drag = useRef<{ from: number; width: number } | null>(null);
  const resize = (to: number) => {
    const room = document.documentElement.clientWidth - 560;
    const panes = {
      ...useChosen.getState().panes,
      [name]: Math.round(Math.max(NARROWEST, Math.min(room, to))),
    };
    choose('panes', panes);
  };
  const full = expanded && detail !== null;
  return (
    <div className="beside">
      <div className="beside-list" hidden={full}>
        {list}
      </div>
      {detail !== null && (
        <>
          {!full && (
            <hr
              className="beside-line"
              aria-label={words.frame.resize}
              aria-orientation="vertical"
              aria-valuenow={chosen}
              aria-valuemin={NARROWEST}
              tabIndex={0}
              onKeyDown={(event) => {
                if (event.key === 'ArrowLeft') resize(chosen + STEP);
                if (event.key === 'ArrowRight') resize(chosen - STEP);
              }}
              onPointerDown={(event) => {
                event.currentTarget.setPointerCapture(event.pointerId);
                drag.current = { from: event.clientX, width: chosen };
              }}
              onPointerMove={(event) => {
                if (drag.current) resize(drag.current.width + drag.current.from - event.clientX);
              }}
              onPointerUp={() => {
                drag.current = null;
              }}
            />
          )}
          <div className="beside-detail" style={full ? { flex: 1 } : { width: chosen }}>
            {detail}
          </div>
        </>
      )}
    </div>
  );
}

interface DetailProps {
  readonly label: string;
  readonly head: ReactNode;
  readonly actions: ReactNode;
  readonly children: ReactNode;
}

/** What is open beside a list. */
export function Detail({ label, head, actions, children }: DetailProps) {
  return (
    <section className="detail" aria-label={label}>
      <header className="detail-head">
        <div className="detail-title">{head}</div>
        <div className="detail-actions">{actions}</div>
      </header>
      {children}
    </section>
  );
}
