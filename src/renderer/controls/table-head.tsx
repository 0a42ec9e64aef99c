import type { ReactNode } from 'react';

/** Column title: plain text, text aligned right above figures, or text for screen readers only. */
export type TableColumnTitle =
  | string
  | { readonly end: string }
  | { readonly unseen: string; readonly cellClass?: string }
  | { readonly text: string; readonly cellClass: string };

function titleText(title: TableColumnTitle): string {
  if (typeof title === 'string') return title;
  if ('end' in title) return title.end;
  return 'unseen' in title ? title.unseen : title.text;
}

export function TableHead({ titles }: { readonly titles: readonly TableColumnTitle[] }) {
  return (
    <thead>
      <tr>
        {titles.map((title) => {
          const text = titleText(title);
          const isUnseen = typeof title === 'object' && 'unseen' in title;
          return (
            <th key={text} scope="col" className={endClass(title)}>
              {isUnseen ? <span className="visually-hidden">{text}</span> : text}
            </th>
          );
        })}
      </tr>
    </thead>
  );
}

function endClass(title: TableColumnTitle): string | undefined {
  return typeof title === 'object' && 'end' in title ? 'table-end' : undefined;
}

interface DataTableProps {
  readonly label?: string;
  readonly className?: string;
  readonly titles: readonly TableColumnTitle[];
  readonly rows: readonly {
    readonly key: string | number;
    /** Cells in the order of the titles. The first cell is the row's header. */
    readonly cells: readonly ReactNode[];
    readonly className?: string;
  }[];
}

/** Small table. Cells below a title that is aligned right are aligned right too. */
export function DataTable({ label, className = 'table', titles, rows }: DataTableProps) {
  const [, ...others] = titles;
  return (
    <table className={className} aria-label={label}>
      <TableHead titles={titles} />
      <tbody>
        {rows.map(({ key, cells: [header, ...cells], className: rowClass }) => (
          <tr key={key} className={rowClass}>
            <th scope="row">{header}</th>
            {others.map((title, index) => (
              <td
                key={titleText(title)}
                className={
                  typeof title === 'object' && 'cellClass' in title ? title.cellClass : endClass(title)
                }
              >
                {cells[index]}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
