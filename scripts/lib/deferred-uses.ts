/**
 * Uses of values that may come later which compile and are wrong: they look at the Output, not at what it will be. The
 * compiler and the linter see nothing in them, so the types are walked here.
 */
import ts from "typescript";

/** Whether a value of this type may come later: an Input, an Output, a Promise. */
function isDeferrable(type: ts.Type): boolean {
  return partsOf(type).some((part) => {
    const has = (name: string) =>
      (part.flags & ts.TypeFlags.Any) === 0 && part.getProperty(name) !== undefined;
    return has("then") || (has("apply") && !has("bind"));
  });
}

const comparing = new Set([
  ts.SyntaxKind.EqualsEqualsEqualsToken,
  ts.SyntaxKind.ExclamationEqualsEqualsToken,
  ts.SyntaxKind.LessThanToken,
  ts.SyntaxKind.GreaterThanToken,
  ts.SyntaxKind.LessThanEqualsToken,
  ts.SyntaxKind.GreaterThanEqualsToken,
  ts.SyntaxKind.PlusToken,
]);

/** Functions that make text, a hash or a set of what they are given. */
const lookingInside = /^(JSON\.stringify|String|hashOf|Set|Map|.*\.join|.*\.(includes|indexOf))$/;

/** Each wrong use as `file:line: what`. */
export function deferredUses(program: ts.Program, isScanned: (file: string) => boolean): string[] {
  const checker = program.getTypeChecker();
  const found: string[] = [];
  for (const source of program.getSourceFiles()) {
    if (isScanned(source.fileName)) visit(source, source);
  }
  return found;

  function visit(node: ts.Node, source: ts.SourceFile): void {
    const what = wrongUse(node);
    if (what !== undefined) {
      const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
      const text = node.getText(source).split("\n")[0];
      found.push(`${source.fileName}:${line + 1}: ${what} over a value that may come later: ${text}`);
    }
    node.forEachChild((child) => visit(child, source));
  }

  function wrongUse(node: ts.Node): string | undefined {
    if (ts.isTemplateExpression(node) && !ts.isTaggedTemplateExpression(node.parent)) {
      return node.templateSpans.some(({ expression }) => later(expression)) ? "a template" : undefined;
    }
    if (ts.isBinaryExpression(node) && comparing.has(node.operatorToken.kind)) {
      const sides = [node.left, node.right];
      // Whether there is a value at all is known at once.
      return sides.some(later) && !sides.some(isNothing) ? "a comparison" : undefined;
    }
    if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken) {
      return mayResolveToNothing(node.left) ? "??" : undefined;
    }
    if (ts.isPropertyAccessExpression(node)) {
      return node.name.text === "length" && later(node.expression) ? ".length" : undefined;
    }
    if (ts.isElementAccessExpression(node)) {
      return later(node.argumentExpression) ? "a computed key" : undefined;
    }
    if (ts.isComputedPropertyName(node)) return later(node.expression) ? "a computed key" : undefined;
    if (ts.isSpreadAssignment(node) || ts.isSpreadElement(node)) {
      return later(node.expression) ? "a spread" : undefined;
    }
    if (
      (ts.isCallExpression(node) || ts.isNewExpression(node)) &&
      lookingInside.test(node.expression.getText())
    ) {
      const looked = [
        ...(node.arguments ?? []),
        ...(ts.isPropertyAccessExpression(node.expression) ? [node.expression.expression] : []),
      ];
      return looked.some((one) => holdsLater(checker.getTypeAtLocation(one), 4))
        ? node.expression.getText()
        : undefined;
    }
    const asked = conditionOf(node);
    return asked !== undefined && later(asked) ? "truth" : undefined;
  }

  function later(node: ts.Node): boolean {
    return isDeferrable(checker.getTypeAtLocation(node));
  }

  /** `a ?? b` means that `a` was not given; of a value that comes later nothing is known by then. */
  function mayResolveToNothing(node: ts.Expression): boolean {
    const type = checker.getTypeAtLocation(node);
    if (!isDeferrable(type)) return false;
    const awaited = checker.getAwaitedType(type);
    return partsOf(type).some((part) => {
      const inner = part.getProperty("then") === undefined ? undefined : checker.getAwaitedType(part);
      return inner !== undefined && inner !== awaited && canBeNothing(inner);
    });
  }

  /** Whether the value, or anything in it down to some depth, may come later. */
  function holdsLater(type: ts.Type, depth: number): boolean {
    if (isDeferrable(type)) return true;
    if (depth === 0) return false;
    return partsOf(type).some((part) => {
      if ((part.flags & ts.TypeFlags.Object) === 0 || part.getCallSignatures().length > 0) return false;
      const element = checker.getIndexTypeOfType(part, ts.IndexKind.Number);
      if (element !== undefined) return holdsLater(element, depth - 1);
      const value = checker.getIndexTypeOfType(part, ts.IndexKind.String);
      if (value !== undefined && holdsLater(value, depth - 1)) return true;
      return part
        .getProperties()
        .filter(({ valueDeclaration }) => valueDeclaration?.getSourceFile().hasNoDefaultLib !== true)
        .some((property) => holdsLater(checker.getTypeOfSymbol(property), depth - 1));
    });
  }
}

const partsOf = (type: ts.Type) => (type.isUnion() ? type.types : [type]);

const canBeNothing = (type: ts.Type): boolean =>
  (type.flags & (ts.TypeFlags.Undefined | ts.TypeFlags.Null)) !== 0 ||
  (type.isUnion() && type.types.some(canBeNothing));

const isNothing = (node: ts.Expression) =>
  node.kind === ts.SyntaxKind.NullKeyword || (ts.isIdentifier(node) && node.text === "undefined");

/** What a node takes for true or false. */
function conditionOf(node: ts.Node): ts.Expression | undefined {
  if (ts.isIfStatement(node) || ts.isWhileStatement(node)) return node.expression;
  if (ts.isConditionalExpression(node)) return node.condition;
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken)
    return node.operand;
  const kind = ts.isBinaryExpression(node) ? node.operatorToken.kind : undefined;
  const isLogical = kind === ts.SyntaxKind.BarBarToken || kind === ts.SyntaxKind.AmpersandAmpersandToken;
  return isLogical ? (node as ts.BinaryExpression).left : undefined;
}

/** The same over the packages that have Inputs. */
export function deferredFaults(): string[] {
  const host = { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => {} };
  const config = ts.getParsedCommandLineOfConfigFile("tsconfig.json", {}, host);
  const program = ts.createProgram(config?.fileNames ?? [], config?.options ?? {});
  return deferredUses(program, (file) => placing.test(file));
}

const placing = /packages\/drawbridge\/src\/(?!.*\.(test|fixture|test-d|trials)\.ts$)/;
