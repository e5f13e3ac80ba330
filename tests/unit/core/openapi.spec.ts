import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { DeclaredOrders } from '#development/openapi/declared_orders'
import { describeDifference } from '#development/openapi/difference'
import { generateOpenApi, printOpenApi } from '#development/openapi/generate'
import { SourceCode } from '#development/openapi/source_code'
import { projectPath } from '#core/process/root'

test.group('The API description', () => {
  test('matches the routes and their source', async ({ assert }) => {
    const written = await readFile(join(projectPath(), 'docs/reference/openapi.json'), 'utf8')
    const wanted = printOpenApi(await generateOpenApi())

    const differences = describeDifference(written, wanted).join('\n')
    assert.equal(differences, '', 'run: npm run ace -- openapi:generate')
    assert.isTrue(written === wanted, 'run: npm run ace -- openapi:generate')
  }).timeout(60_000)

  test('has descriptions of fields that end in a full stop and cite no page', async ({
    assert,
  }) => {
    const written = await readFile(join(projectPath(), 'docs/reference/openapi.json'), 'utf8')
    const descriptions: string[] = []
    JSON.parse(written, (key, value) => {
      if (key === 'description' && typeof value === 'string') descriptions.push(value)
      return value
    })
    assert.isAbove(descriptions.length, 500)
    assert.deepEqual(
      descriptions.filter((text) => text.includes('.md#')),
      []
    )
    const { schemas } = JSON.parse(written).components
    const fields = Object.values<{ properties?: Record<string, { description?: string }> }>(schemas)
      .flatMap(({ properties = {} }) => Object.values(properties))
      .flatMap(({ description }) => description ?? [])
    assert.isAbove(fields.length, 100)
    assert.deepEqual(
      fields.filter((text) => !/[.!?:]$/.test(text)),
      []
    )
  })

  test('lists values in the order of their declaration', async ({ assert, cleanup }) => {
    const root = await mkdtemp(join(tmpdir(), 'concierge-declared-'))
    cleanup(() => rm(root, { recursive: true }))
    await mkdir(join(root, 'app'))
    await writeFile(join(root, 'tsconfig.json'), '{"include":["app"]}')
    const declared = [
      `export const mixed = ['edit', 'none', 'allowed', 'view']`,
      `export type More = 'view' | 'allowed' | 'edit' | 'none'`,
      `export const LEVELS = ['allowed', 'view', 'edit'] as const`,
      `export type State = 'waiting' | 'done' | null`,
    ]
    await writeFile(join(root, 'app/levels.ts'), declared.join('\n'))
    const orders = new DeclaredOrders(new SourceCode(root))
    assert.deepEqual(orders.sort(['edit', 'allowed', 'view']), ['allowed', 'view', 'edit'])
    assert.deepEqual(orders.sort(['edit', 'none']), ['edit', 'none'])
    assert.deepEqual(orders.sort(['done', 'waiting']), ['waiting', 'done'])
    assert.deepEqual(orders.sort(['z', 'edit']), ['edit', 'z'])
  })

  test('reports where two descriptions differ', ({ assert }) => {
    const before = JSON.stringify({ a: { b: 1, gone: 2 }, list: [1] })
    const after = JSON.stringify({ a: { b: 2, new: 3 }, list: [1] })

    assert.deepEqual(describeDifference(before, after), [
      'changed a › b: 1 → 2',
      'removed a › gone',
      'added a › new',
    ])
    assert.deepEqual(describeDifference('', '{"a":1}'), ['added a'])
  })
})
