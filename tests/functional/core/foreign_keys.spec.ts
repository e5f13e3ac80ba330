import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { usesPostgres } from '#core/database/dialect'
import { selectRows } from '#core/database/select_rows'

/** Foreign keys of one column that begin no index, as `table.column`. */
const UNINDEXED = {
  sqlite: `
    select m.name || '.' || f."from" as key
    from sqlite_master m join pragma_foreign_key_list(m.name) f
    where m.type = 'table' and not exists (
      select 1 from pragma_index_list(m.name) i join pragma_index_info(i.name) c
      where c.seqno = 0 and c.name = f."from")
    and not exists (
      select 1 from pragma_table_info(m.name) p where p.pk = 1 and p.name = f."from")`,
  postgres: `
    select c.conrelid::regclass::text || '.' || a.attname as key
    from pg_constraint c
    join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and not exists (
      select 1 from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = c.conkey[1])`,
}

const WIDE = {
  sqlite: `select m.name as key from sqlite_master m join pragma_foreign_key_list(m.name) f
    where m.type = 'table' and f.seq > 0`,
  postgres: `select conname as key from pg_constraint where contype = 'f' and cardinality(conkey) > 1`,
}

test.group('Foreign keys', () => {
  const kind = usesPostgres() ? 'postgres' : 'sqlite'

  test('each begins an index, so that deleting a row never reads a whole table', async ({
    assert,
  }) => {
    assert.deepEqual(await selectRows(db, UNINDEXED[kind]), [])
  })

  test('have one column, which the test above expects', async ({ assert }) => {
    assert.deepEqual(await selectRows(db, WIDE[kind]), [])
  })
})
