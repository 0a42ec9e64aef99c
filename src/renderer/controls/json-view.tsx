/** Shows a value received from the service as formatted JSON. */
export function JsonView({ value }: { readonly value: unknown }) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: scrollable content must be focusable
    <pre className="code-block" tabIndex={0}>
      {JSON.stringify(value, null, 2)}
    </pre>
  );
}
