import { dirname, join, relative } from 'node:path'
import ts from 'typescript'

/** The type-checked source of the service. */
export class SourceCode {
  readonly checker: ts.TypeChecker
  readonly files: ts.SourceFile[]
  readonly #app: string
  /** By their paths without extension. */
  readonly #modules: Map<string, ts.SourceFile>
  /** Every operation asks about the same nodes again. */
  readonly #declarations = new Map<ts.Node, ts.Declaration | undefined>()

  constructor(readonly root: string) {
    this.#app = join(root, 'app/')
    const { options, fileNames } = readConfig(join(root, 'tsconfig.json'))
    const files = fileNames.filter((name) => name.startsWith(this.#app))
    const program = ts.createProgram(files, { ...options, noEmit: true, incremental: false })
    this.files = program.getSourceFiles().filter((file) => this.isOurs(file))
    this.#modules = new Map(this.files.map((file) => [this.pathOf(file), file]))
    this.checker = program.getTypeChecker()
  }

  isOurs(node: ts.Node): boolean {
    return node.getSourceFile().fileName.startsWith(this.#app)
  }

  /** The path without its extension, such as `app/checks/routes`. */
  pathOf(node: ts.Node): string {
    return relative(this.root, node.getSourceFile().fileName)
      .replaceAll('\\', '/')
      .replace(/\.ts$/, '')
  }

  sectionOf(node: ts.Node): string {
    return this.pathOf(node).split('/')[1]
  }

  /** Follows imports to the symbol they stand for. */
  symbolAt(node: ts.Node): ts.Symbol | undefined {
    const symbol = ts.isShorthandPropertyAssignment(node.parent)
      ? this.checker.getShorthandAssignmentValueSymbol(node.parent)
      : this.checker.getSymbolAtLocation(node)
    if (!symbol || !(symbol.flags & ts.SymbolFlags.Alias)) return symbol
    return this.checker.getAliasedSymbol(symbol)
  }

  /** The declaration of the symbol, if it is in `app/`. */
  declarationAt(node: ts.Node): ts.Declaration | undefined {
    if (!this.#declarations.has(node)) this.#declarations.set(node, this.#findDeclaration(node))
    return this.#declarations.get(node)
  }

  #findDeclaration(node: ts.Node): ts.Declaration | undefined {
    const declarations = this.symbolAt(node)?.declarations ?? []
    const implementation = declarations.find((one) => 'body' in one && one.body !== undefined)
    const declaration = implementation ?? declarations[0]
    return declaration && this.isOurs(declaration) ? declaration : undefined
  }

  /** @throws Error if the module has no class with this method */
  method(module: string, name: string): ts.MethodDeclaration {
    const found = this.#modules
      .get(module)
      ?.statements.filter(ts.isClassDeclaration)
      .flatMap((declaration) => [...declaration.members])
      .filter(ts.isMethodDeclaration)
      .find((member) => member.name.getText() === name)
    if (!found) throw new Error(`${module} has no method ${name}`)
    return found
  }
}

function readConfig(path: string): ts.ParsedCommandLine {
  const { config } = ts.readConfigFile(path, ts.sys.readFile)
  return ts.parseJsonConfigFileContent(config, ts.sys, dirname(path), {}, path)
}
