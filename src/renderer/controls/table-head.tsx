/** A title; at the end above figures; read out but not seen above what speaks for itself. */
export type TableTitle = string | { readonly end: string } | { readonly unseen: string };

/** The head of a small table. */
export function TableHead({ titles }: { readonly titles: readonly TableTitle[] }) {
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
              <span className="unseen">{title.unseen}</span>
            </th>
          );
        })}
      </tr>
    </thead>
  );
}
