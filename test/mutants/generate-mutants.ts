import ts from 'typescript';

/** One small change of a source text. */
export interface Mutant {
  /** Line of the change, starting at 1. */
  readonly line: number;
  readonly before: string;
  readonly after: string;
  /** The complete changed source. */
  readonly text: string;
}

/** Operators and what replaces them. */
const OPERATORS: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [ts.SyntaxKind.PlusToken, '-'],
  [ts.SyntaxKind.MinusToken, '+'],
  [ts.SyntaxKind.AsteriskToken, '/'],
  [ts.SyntaxKind.SlashToken, '*'],
  [ts.SyntaxKind.LessThanToken, '<='],
  [ts.SyntaxKind.LessThanEqualsToken, '<'],
  [ts.SyntaxKind.GreaterThanToken, '>='],
  [ts.SyntaxKind.GreaterThanEqualsToken, '>'],
  [ts.SyntaxKind.EqualsEqualsEqualsToken, '!=='],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, '==='],
  [ts.SyntaxKind.AmpersandAmpersandToken, '||'],
  [ts.SyntaxKind.BarBarToken, '&&'],
  [ts.SyntaxKind.PlusEqualsToken, '-='],
  [ts.SyntaxKind.MinusEqualsToken, '+='],
]);

/** Methods and what replaces them. */
const METHODS: ReadonlyMap<string, string> = new Map([
  ['some', 'every'],
  ['every', 'some'],
  ['min', 'max'],
  ['max', 'min'],
  ['floor', 'ceil'],
  ['ceil', 'floor'],
]);

/** Returns all mutants of a TypeScript source. Types, texts and imports are not changed. */
export function generateMutants(source: string): Mutant[] {
  const file = ts.createSourceFile('source.ts', source, ts.ScriptTarget.Latest, true);
  const mutants: Mutant[] = [];
  const replace = (node: ts.Node, after: string) => {
    const [start, end] = [node.getStart(file), node.getEnd()];
    const line = file.getLineAndCharacterOfPosition(start).line + 1;
    const text = source.slice(0, start) + after + source.slice(end);
    mutants.push({ line, before: source.slice(start, end), after, text });
  };
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return;
    mutateNode(node, replace);
    ts.forEachChild(node, visit);
  };
  visit(file);
  return mutants;
}

function mutateNode(node: ts.Node, replace: (node: ts.Node, after: string) => void): void {
  if (ts.isBinaryExpression(node)) {
    const after = OPERATORS.get(node.operatorToken.kind);
    const joinsText = [node.left, node.right].some(
      (each) => ts.isStringLiteralLike(each) || ts.isTemplateExpression(each),
    );
    if (after !== undefined && !joinsText) replace(node.operatorToken, after);
  } else if (ts.isPrefixUnaryExpression(node)) {
    if (node.operator === ts.SyntaxKind.ExclamationToken) replace(node, node.operand.getText());
    if (node.operator === ts.SyntaxKind.MinusToken) replace(node, node.operand.getText());
  } else if (node.kind === ts.SyntaxKind.TrueKeyword && !ts.isLiteralTypeNode(node.parent))
    replace(node, 'false');
  else if (node.kind === ts.SyntaxKind.FalseKeyword && !ts.isLiteralTypeNode(node.parent))
    replace(node, 'true');
  else if (ts.isNumericLiteral(node)) replace(node, node.text === '0' ? '1' : '0');
  else if (ts.isIfStatement(node)) {
    replace(node.expression, 'true');
    replace(node.expression, 'false');
  } else if (ts.isConditionalExpression(node)) {
    replace(node.condition, 'true');
    replace(node.condition, 'false');
  } else if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const after = METHODS.get(node.expression.name.text);
    if (after !== undefined) replace(node.expression.name, after);
  }
}
