/** A value as the service sent it. */
export function JsonView({ value }: { readonly value: unknown }) {
  return <pre className="code-block">{JSON.stringify(value, null, 2)}</pre>;
}
