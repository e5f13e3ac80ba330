import { glob } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { test } from '@japa/runner'
import app from '@adonisjs/core/services/app'
import { BaseModel } from '@adonisjs/lucid/orm'
import type { LucidModel, LucidRow } from '@adonisjs/lucid/types/model'
import type { ApiClient } from '@japa/api-client'
import Permission from '#app/permissions/models/permission'
import { recordStatements } from '#tests/helpers/count_statements'
import { manageApplication, overridesPath } from '#tests/helpers/management'
import { anApplication, superAdmin, uniqueEmail } from '#tests/helpers/people'

interface ListRelation {
  type: string
  relationName: string
  localKey: string
  foreignKey: string
  relatedModel(): LucidModel
  boot(): void
  setRelatedForMany(rows: LucidRow[], related: LucidRow[]): void
}

/** Finds all relations of all models, except many-to-many. */
async function everyRelation() {
  const folder = join(fileURLToPath(app.appRoot), 'app')
  const found: [name: string, model: LucidModel, relation: ListRelation][] = []
  for await (const file of glob('*/models/*.ts', { cwd: folder })) {
    const { default: model } = await import(pathToFileURL(join(folder, file)).href)
    if (!(model?.prototype instanceof BaseModel)) continue
    model.boot()
    for (const relation of model.$relationsDefinitions.values()) {
      if (relation.type === 'manyToMany') continue
      found.push([`${file} ${relation.relationName}`, model, relation])
    }
  }
  return found
}

/** Creates an application with `count` permissions, and bodies that assign each of them. */
async function manyAssignments(client: ApiClient, count: number) {
  const { id: applicationId, code } = await anApplication()
  const permissions = await Permission.createMany(
    Array.from({ length: count }, (_, index) => {
      return { applicationId, code: `p${index}`, type: 'binary' as const, global: false }
    })
  )
  const ids = permissions.map(({ id }) => id)
  const role = await manageApplication(client, code).role()
  const email = uniqueEmail()
  return {
    grants: ids.map((permissionId) => ({ permissionId, accessLevel: 'allowed' })),
    overrides: ids.map((permissionId) => ({ permissionId, granted: true })),
    rolePath: `/api/applications/${code}/roles/${role.id}/permissions`,
    overridesPath: overridesPath(email, code, 'shop', '1'),
    resourcesPath: `/api/users/${email}/apps/${code}/resources`,
  }
}

/** Of the guards, which run again every few seconds and after a wait for a turn. */
const GUARDS =
  /^(?:record_of_address$|facts_one$|panel_access$|select active, identity_verified|select "revision" from "change_revisions")/

const countWithoutGuards = (statements: string[]) =>
  statements.filter((statement) => !GUARDS.test(statement)).length

test.group('Long lists', () => {
  test('preloading a relation takes time linear in the number of rows', async ({ assert }) => {
    const relations = await everyRelation()
    assert.isAbove(relations.length, 10)
    const count = 300
    for (const [name, model, relation] of relations) {
      relation.boot()
      let reads = 0
      const rowsOf = (of: LucidModel, key: string) =>
        Array.from({ length: count }, (_, index) => {
          const get = () => (reads++, index)
          return Object.defineProperty(new of(), key, { get })
        })
      const [own, others] =
        relation.type === 'belongsTo'
          ? [relation.foreignKey, relation.localKey]
          : [relation.localKey, relation.foreignKey]
      const rows = rowsOf(model, own)
      const related = rowsOf(relation.relatedModel(), others)
      relation.setRelatedForMany(rows, related.toReversed())
      for (const [index, row] of rows.entries()) {
        const loaded = row.$preloaded[relation.relationName]
        assert.isTrue([loaded].flat()[0] === related[index], name)
        assert.lengthOf([loaded].flat(), 1)
      }
      assert.isAtMost(reads, 4 * count, name)
    }
  })

  test('the number of statements for a set of assignments does not depend on its length', async ({
    client,
    assert,
  }) => {
    const admin = superAdmin(client)
    const countOf = async (count: number) => {
      const { grants, overrides, ...paths } = await manyAssignments(client, count)
      const ofGrants = await recordStatements(async () => {
        const response = await admin.put(paths.rolePath, { permissions: grants })
        assert.lengthOf(response.body().data, count)
      })
      const ofOverrides = await recordStatements(async () => {
        const response = await admin.put(paths.overridesPath, { permissions: overrides })
        assert.lengthOf(response.body().data, count)
      })
      const ofResources = await recordStatements(async () => {
        assert.lengthOf((await admin.get(paths.resourcesPath)).body().data, count)
      })
      return [ofGrants, ofOverrides, ofResources].map(countWithoutGuards)
    }
    /** Of two rounds, because background work can add statements to one of them. */
    const fewestOf = async (count: number) => {
      const [first, second] = [await countOf(count), await countOf(count)]
      return first.map((ofFirst, index) => Math.min(ofFirst, second[index]))
    }
    assert.deepEqual(await fewestOf(300), await fewestOf(2))
  })

  test('the CPU time for a set of assignments grows linearly with its length', async ({
    client,
    assert,
  }) => {
    const admin = superAdmin(client)
    const cpu: number[] = []
    for (const count of [500, 2_000]) {
      const { grants, overrides, ...paths } = await manyAssignments(client, count)
      const rounds: number[] = []
      for (let round = 0; round < 3; round++) {
        const before = process.threadCpuUsage()
        await admin.put(paths.rolePath, { permissions: grants })
        await admin.get(paths.rolePath)
        await admin.put(paths.overridesPath, { permissions: overrides })
        const read = await admin.get(paths.resourcesPath)
        const { user, system } = process.threadCpuUsage(before)
        rounds.push(user + system)
        assert.lengthOf(read.body().data, count)
      }
      cpu.push(Math.min(...rounds))
    }
    assert.isBelow(cpu[1] / cpu[0], 7)
  }).timeout(60_000)
})
