import { type AstNode, pathOf } from '#app/permissions/conditions/ast'

/** Part of an expression is refused; like an error of the library. */
export class RefusedNode extends Error {
  constructor(
    readonly summary: string,
    readonly range: { start: number }
  ) {
    super(summary)
  }
}

/** An expression reads an attribute that is not there. */
export class MissingAttribute extends Error {
  constructor(readonly node: AstNode) {
    super('An attribute is missing')
  }

  get path() {
    return pathOf(this.node)
  }
}

/** An operation cannot be done with these values. */
export class ImpossibleOperation extends Error {}
