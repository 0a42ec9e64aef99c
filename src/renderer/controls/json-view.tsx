/** A value as the service sent it. */
export function JsonView({ value }: { readonly value: unknown }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keys
    <pre className="code-block" tabIndex={0}>
      {JSON.stringify(value, null, 2)}
    </pre>
  );
}
