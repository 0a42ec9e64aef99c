import { Fragment } from 'react';

/** Shows a text. Parts between backticks are shown as code. */
export function CodeText({ children }: { readonly children: string }) {
  return [...children.matchAll(/`([^`]*)`|[^`]+/g)].map(({ 0: part, 1: code, index }) =>
    code === undefined ? <Fragment key={index}>{part}</Fragment> : <code key={index}>{code}</code>,
  );
}
