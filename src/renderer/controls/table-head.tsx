/** Column title: plain text, text aligned right above figures, or text for screen readers only. */
export type TableColumnTitle = string | { readonly end: string } | { readonly unseen: string };

/** Header row of a small table. */
export function TableHead({ titles }: { readonly titles: readonly TableColumnTitle[] }) {
  return (
    <thead>
      <tr>
        {titles.map((title) => {
          if (typeof title === 'string') {
            return (
              <th key={title} scope="col">
                {title}
              </th>
            );
          }
          if ('end' in title) {
            return (
              <th key={title.end} scope="col" className="table-end">
                {title.end}
              </th>
            );
          }
          return (
            <th key={title.unseen} scope="col">
              <span className="visually-hidden">{title.unseen}</span>
            </th>
          );
        })}
      </tr>
    </thead>
  );
}
