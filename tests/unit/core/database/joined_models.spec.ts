import { BaseModel, column } from '@adonisjs/lucid/orm'
import { test } from '@japa/runner'
import { JoinedModels, selectedColumns } from '#core/database/joined_models'

class PersonSchema extends BaseModel {
  @column({ isPrimary: true })
  declare id: number

  @column()
  declare firstName: string
}

/** As all models here: their columns are inherited. */
class Person extends PersonSchema {
  static override table = 'people'
}

const rowOf = (id: number | null, firstName: string | null) => {
  return { people_id: id, people_first_name: firstName, other_id: 7 }
}

test.group('Models in joined rows', () => {
  test('have columns with names of their own, also before anyone used the model', ({ assert }) => {
    const columns = 'people.id as people_id, people.first_name as people_first_name'
    assert.equal(selectedColumns(Person), columns)
  })

  test('are taken from their columns, once for each record', ({ assert }) => {
    const people = new JoinedModels(Person)
    const ada = people.in(rowOf(1, 'Ada'))!
    assert.containSubset(ada, { id: 1, firstName: 'Ada', $isPersisted: true })
    assert.isEmpty(ada.$extras)
    assert.strictEqual(people.in(rowOf(1, 'Ada')), ada)
    assert.equal(people.in(rowOf(2, 'Grace'))?.firstName, 'Grace')
  })

  test('are missing where the other table had no row', ({ assert }) => {
    assert.isNull(new JoinedModels(Person).in(rowOf(null, null)))
  })
})
