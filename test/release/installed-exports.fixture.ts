/** What a TypeScript program in a folder could import from packages that are installed there. */
import { join } from "node:path";
import ts from "typescript";

export interface Exports {
  /** What there is at run time: classes, functions and constants. */
  readonly values: readonly string[];
  /** What only declarations have. */
  readonly types: readonly string[];
}

export function exportsOf(folder: string, entries: readonly string[]): Record<string, Exports> {
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  };
  const from = join(folder, "index.mts");
  const files = entries.map((entry) => {
    const mode = ts.ModuleKind.ESNext;
    const found = ts.resolveModuleName(entry, from, options, ts.sys, undefined, undefined, mode);
    if (found.resolvedModule === undefined) throw new Error(`${entry} has no types in ${folder}`);
    return found.resolvedModule.resolvedFileName;
  });
  const program = ts.createProgram(files, options);
  const checker = program.getTypeChecker();
  return Object.fromEntries(
    entries.map((entry, index) => {
      const module = checker.getSymbolAtLocation(program.getSourceFile(files[index] ?? "") as ts.SourceFile);
      const exported = module === undefined ? [] : checker.getExportsOfModule(module);
      const isValue = (symbol: ts.Symbol) =>
        ((symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol).flags &
          ts.SymbolFlags.Value) !==
        0;
      const names = (some: readonly ts.Symbol[]) => some.map(({ name }) => name).sort();
      return [
        entry,
        { values: names(exported.filter(isValue)), types: names(exported.filter((one) => !isValue(one))) },
      ];
    }),
  );
}
