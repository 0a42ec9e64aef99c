import type { LineOptions } from './options.ts';

/** Lines that share payments, directly or through other lines. */
export interface Component {
  readonly lines: readonly LineOptions[];
  readonly payments: readonly number[];
}

/** Splits lines with at least one option into connected components. */
export function splitIntoComponents(lines: readonly LineOptions[]): Component[] {
  const parents = new Map<number, number>();
  const find = (at: number): number => {
    let root = at;
    while (parents.get(root) !== undefined && parents.get(root) !== root) root = parents.get(root) as number;
    for (let node = at; node !== root; ) {
      const next = parents.get(node) ?? root;
      parents.set(node, root);
      node = next;
    }
    return root;
  };
  for (const { options } of lines) {
    const [first, ...rest] = options.flatMap(({ payments }) => payments);
    if (first === undefined) continue;
    for (const at of rest) parents.set(find(at), find(first));
  }
  const components = new Map<number, { lines: LineOptions[]; payments: Set<number> }>();
  for (const line of lines) {
    const [first] = line.options.flatMap(({ payments }) => payments);
    if (first === undefined) continue;
    const root = find(first);
    const component = components.get(root) ?? { lines: [], payments: new Set<number>() };
    components.set(root, component);
    component.lines.push(line);
    for (const { payments } of line.options) for (const at of payments) component.payments.add(at);
  }
  return [...components.values()].map((component) => ({ ...component, payments: [...component.payments] }));
}
