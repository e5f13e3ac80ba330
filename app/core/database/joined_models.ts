import type { LucidModel } from '@adonisjs/lucid/types/model'

type JoinedRow = Record<string, unknown>

/** The columns of a model in a hand-written join, with names that no other table has. */
export function selectedColumns(model: LucidModel): string {
  return aliasesOf(model)
    .map(({ alias, column }) => `${model.table}.${column} as ${alias}`)
    .join(', ')
}

/** Takes a model's instances out of joined rows: the same one for the same record. */
export class JoinedModels<Model extends LucidModel> {
  readonly #model: Model
  readonly #aliases: Alias[]
  readonly #key: string
  readonly #instances = new Map<unknown, InstanceType<Model>>()

  constructor(model: Model) {
    this.#model = model
    this.#aliases = aliasesOf(model)
    this.#key = `${model.table}_${model.primaryKey}`
  }

  /** Null if the row has none. */
  in(row: JoinedRow): InstanceType<Model> | null {
    const key = row[this.#key]
    if (key === null) return null
    const known = this.#instances.get(key)
    if (known) return known
    const own = Object.fromEntries(this.#aliases.map(({ alias, column }) => [column, row[alias]]))
    const instance = this.#model.$createFromAdapterResult(own) as InstanceType<Model>
    this.#instances.set(key, instance)
    return instance
  }
}

interface Alias {
  alias: string
  column: string
}

const aliasesOfModels = new WeakMap<LucidModel, Alias[]>()

/** Lucid reads the aliases of its own `columnsForSelect` only of columns that are not inherited. */
function aliasesOf(model: LucidModel): Alias[] {
  const known = aliasesOfModels.get(model)
  if (known) return known
  // Until then, a model that nobody has used has no table.
  model.boot()
  const aliases = [...model.$columnsDefinitions.values()].map(({ columnName: column }) => ({
    alias: `${model.table}_${column}`,
    column,
  }))
  aliasesOfModels.set(model, aliases)
  return aliases
}
