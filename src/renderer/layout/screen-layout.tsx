import { type ReactNode, useRef } from 'react';
import { useWindowState } from '../navigation/window-state.ts';
import { texts } from '../texts/texts.ts';
import { changeUserSetting, useUserSettings } from '../user-settings/user-settings.ts';
import { TimeZoneMenu } from './time-zone-menu.tsx';
import { useNarrowWindow } from './use-narrow-window.ts';
import './screen.css';

export interface ScreenProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

export function ScreenLayout({ title, actions, children }: ScreenProps) {
  return (
    <div className="screen">
      <header className="screen-head">
        <h1>{title}</h1>
        <TimeZoneMenu />
        <div className="screen-actions">{actions}</div>
      </header>
      {children}
    </div>
  );
}

/** Scrollable page with a limited width. */
export function PageLayout(props: { readonly className?: string; readonly children: ReactNode }) {
  const { className, children } = props;
  return (
    <div className="page">
      <div className={className ? `page-inner ${className}` : 'page-inner'}>{children}</div>
    </div>
  );
}

interface ListWithDetailProps {
  /** Name under which the width of the detail pane is stored. */
  readonly name: string;
  readonly list: ReactNode;
  readonly detail: ReactNode | null;
  readonly width: number;
}

const MIN_DETAIL_WIDTH_PX = 320;
/** Minimum width in px that remains for the sidebar and the list. */
const MIN_LIST_WIDTH_PX = 560;
const RESIZE_STEP_PX = 24;

/**
 * Shows a list with the open detail next to it. The pointer or arrow keys move the separator. In a narrow window, the
 * detail takes the place of the list.
 */
export function ListWithDetail({ name, list, detail, width }: ListWithDetailProps) {
  const detailWidth = useUserSettings((settings) => settings.panes[name]) ?? width;
  const expanded = useWindowState((state) => state.expanded);
  const isNarrow = useNarrowWindow();
  const drag = useRef<{ startX: number; width: number } | null>(null);
  const resize = (to: number) => {
    const maxWidth = document.documentElement.clientWidth - MIN_LIST_WIDTH_PX;
    const panes = {
      ...useUserSettings.getState().panes,
      [name]: Math.round(Math.max(MIN_DETAIL_WIDTH_PX, Math.min(maxWidth, to))),
    };
    changeUserSetting('panes', panes);
  };
  const isFull = (expanded || isNarrow) && detail !== null;
  return (
    <div className="list-detail">
      <div className="list-detail-list" hidden={isFull}>
        {list}
      </div>
      {detail !== null && (
        <>
          {!isFull && (
            <hr
              className="list-detail-separator"
              aria-label={texts.frame.resize}
              aria-orientation="vertical"
              aria-valuenow={detailWidth}
              aria-valuemin={MIN_DETAIL_WIDTH_PX}
              tabIndex={0}
              onKeyDown={(event) => {
                if (event.key === 'ArrowLeft') resize(detailWidth + RESIZE_STEP_PX);
                if (event.key === 'ArrowRight') resize(detailWidth - RESIZE_STEP_PX);
              }}
              onPointerDown={(event) => {
                event.currentTarget.setPointerCapture(event.pointerId);
                drag.current = { startX: event.clientX, width: detailWidth };
              }}
              onPointerMove={(event) => {
                if (drag.current) resize(drag.current.width + drag.current.startX - event.clientX);
              }}
              onPointerUp={() => {
                drag.current = null;
              }}
            />
          )}
          <div className="list-detail-detail" style={isFull ? { flex: 1 } : { width: detailWidth }}>
            {detail}
          </div>
        </>
      )}
    </div>
  );
}

interface DetailPaneProps {
  readonly label: string;
  readonly head: ReactNode;
  readonly actions: ReactNode;
  readonly children: ReactNode;
}

/** Detail pane next to a list, with a header, buttons, and content. */
export function DetailPane({ label, head, actions, children }: DetailPaneProps) {
  return (
    <section className="detail" aria-label={label} tabIndex={-1}>
      <header className="detail-head">
        <div className="detail-title">{head}</div>
        <div className="detail-actions">{actions}</div>
      </header>
      {children}
    </section>
  );
}
