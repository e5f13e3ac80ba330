import type {
  LucidModel,
  LucidRow,
  ModelAttributes,
  ModelQueryBuilderContract,
} from '@adonisjs/lucid/types/model'

/** A row as its model has it, without the model's methods. */
export type PlainRow<Row extends LucidRow> = Readonly<ModelAttributes<Row>>

interface Attribute {
  name: string
  /** Turns what the driver returns into the attribute. */
  consume?: (value: unknown) => unknown
}

const attributesOfModels = new WeakMap<LucidModel, Map<string, Attribute>>()

/**
 * Reads rows that are only shown. A model instance takes ten times as long, because Lucid makes
 * each attribute observable and copies all of them.
 *
 * @example
 * const rows = await plainRows(Notification.query().whereIn('id', ids))
 */
export async function plainRows<Model extends LucidModel>(
  query: ModelQueryBuilderContract<Model>
): Promise<PlainRow<InstanceType<Model>>[]> {
  const rows: Record<string, unknown>[] = await query.pojo()
  return rows.map((row) => toPlainRow(query.model, row))
}

/** For rows of hand-written statements. Columns that the model does not have remain as they are. */
export function toPlainRow<Model extends LucidModel, Row extends Record<string, unknown>>(
  model: Model,
  row: Row
) {
  return plainRow(row, attributesOf(model)) as PlainRow<InstanceType<Model>> & Row
}

/** As the database names them. */
export function columnsOf<Model extends LucidModel>(
  model: Model,
  names: readonly (keyof PlainRow<InstanceType<Model>>)[]
): string[] {
  return names.map((name) => model.$getColumn(name as string)!.columnName)
}

function plainRow(row: Record<string, unknown>, attributes: Map<string, Attribute>) {
  const plain: Record<string, unknown> = {}
  for (const column in row) {
    const { name = column, consume } = attributes.get(column) ?? {}
    plain[name] = consume ? consume(row[column]) : row[column]
  }
  return plain
}

/** Of a model, by the names of its columns. */
function attributesOf(model: LucidModel): Map<string, Attribute> {
  const known = attributesOfModels.get(model)
  if (known) return known
  const attributes = new Map(
    [...model.$columnsDefinitions].map(([name, { columnName, consume }]) => [
      columnName,
      { name, consume: consume as Attribute['consume'] },
    ])
  )
  attributesOfModels.set(model, attributes)
  return attributes
}
