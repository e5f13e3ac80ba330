import ts from 'typescript'
import type { SourceCode } from '#development/openapi/source_code'

/**
 * Names schemas after interfaces, aliases and `…Resource` functions. A name that two sections use
 * gets the section as a prefix.
 */
export class SchemaNames {
  readonly #owners = new Map<string, Set<string>>()

  constructor(private readonly source: SourceCode) {
    for (const file of source.files) {
      for (const statement of file.statements) this.#register(statement)
    }
  }

  /** Undefined for an unnamed type, which is described inline. */
  nameOf(type: ts.Type): string | undefined {
    const declaration = this.#declarationOf(type)
    const name = declaration && givenName(declaration)
    if (!name) return undefined
    const section = this.source.sectionOf(declaration)
    const isShared = (this.#owners.get(name)?.size ?? 0) > 1
    return isShared ? pascalCase(section) + name : name
  }

  #register(statement: ts.Statement) {
    const name = givenName(statement)
    if (!name) return
    const owners = this.#owners.get(name) ?? new Set()
    this.#owners.set(name, owners.add(this.source.sectionOf(statement)))
  }

  #declarationOf(type: ts.Type): ts.Node | undefined {
    const isGeneric = (type.aliasTypeArguments ?? []).length > 0
    const [named] = isGeneric ? [] : (type.aliasSymbol?.declarations ?? [])
    if (named && this.source.isOurs(named))
      return type.isUnion() || isObject(type) ? named : undefined
    const [own] = isObject(type) ? (type.symbol?.declarations ?? []) : []
    if (!own || !this.source.isOurs(own)) return undefined
    if (ts.isInterfaceDeclaration(own)) return own.typeParameters ? undefined : own
    return ts.isObjectLiteralExpression(own) ? resourceOf(own) : undefined
  }
}

const isObject = (type: ts.Type) => (type.flags & ts.TypeFlags.Object) !== 0

/** The function that returns this object literal. */
function resourceOf(literal: ts.ObjectLiteralExpression): ts.Node | undefined {
  const statement = literal.parent
  if (!ts.isReturnStatement(statement)) return undefined
  const declaration = statement.parent.parent
  return ts.isFunctionDeclaration(declaration) ? declaration : undefined
}

function givenName(node: ts.Node): string | undefined {
  if (ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node)) return node.name.text
  if (!ts.isFunctionDeclaration(node) || !node.name) return undefined
  const resource =
    /^(\w+)Resource$/.exec(node.name.text)?.[1] ??
    /^(\w*EffectivePermission)$/.exec(node.name.text)?.[1]
  return resource && pascalCase(resource)
}

export function pascalCase(text: string) {
  return text.replace(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase())
}
