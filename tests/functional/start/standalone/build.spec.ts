import { readFile, readdir } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { join, relative } from 'node:path'
import { test } from '@japa/runner'
import { productionCopy } from '#tests/helpers/production_copy'
import type { ProjectCopy } from '#tests/helpers/project_copy'
import { startProductionService } from '#tests/world/production_service'

/** Everything that a build may contain. */
const FOLDERS = [
  '.adonisjs',
  'app',
  'bin',
  'commands',
  'config',
  'database',
  'docs',
  'providers',
  'resources',
  'start',
]
const FILES = ['ace.js', 'adonisrc.js', 'package-lock.json', 'package.json']
const ENTRY_POINTS = ['console.js', 'main.js', 'server.js']
const OTHER_THAN_CODE = ['docs/reference/openapi.json', 'package-lock.json', 'package.json']
/** Installed on request only. */
const OPTIONAL = '@adonisjs/otel'

// The build is the same for either database.
if (process.env.DB_CONNECTION !== 'pg') {
  test.group('Production build', (group) => {
    let copy: ProjectCopy
    let files: string[]
    let topLevel: string[]

    group.setup(async () => {
      copy = await productionCopy()
      const build = join(copy.root, 'build')
      const entries = await readdir(build, { recursive: true, withFileTypes: true })
      files = entries
        .filter((entry) => entry.isFile())
        .map(({ parentPath, name }) => relative(build, join(parentPath, name)))
      topLevel = entries.filter(({ parentPath }) => parentPath === build).map(({ name }) => name)
      return () => copy.remove()
    })

    test('contains only the service', async ({ assert }) => {
      assert.sameMembers(topLevel, [...FOLDERS, ...FILES])
      assert.sameMembers(await readdir(join(copy.root, 'build/bin')), ENTRY_POINTS)
      const others = files.filter((file) => !file.endsWith('.js'))
      assert.sameMembers(others, OTHER_THAN_CODE)
      assert.include(files, 'resources/api_reference/scalar.js')
    })

    test('imports nothing that production does not install', async ({ assert }) => {
      const { dependencies } = JSON.parse(
        await readFile(join(copy.root, 'package.json'), 'utf8')
      ) as { dependencies: Record<string, string> }
      const allowed = new Set([...Object.keys(dependencies), OPTIONAL])
      const foreign: string[] = []
      for (const file of files.filter((name) => name.endsWith('.js'))) {
        if (file.startsWith('resources/api_reference/')) continue
        const source = await readFile(join(copy.root, 'build', file), 'utf8')
        for (const [, name] of source.matchAll(/(?:from |import\(|import )'([^'.#][^']*)'/g)) {
          const [, packageName] = /^((?:@[^/]+\/)?[^/]+)/.exec(name)!
          if (!isBuiltin(name) && !allowed.has(packageName)) foreign.push(`${file}: ${name}`)
        }
      }
      assert.deepEqual(foreign, [])
    })

    test('runs without OpenTelemetry and serves its documentation', async ({ assert, cleanup }) => {
      const service = await startProductionService({}, join(copy.root, 'build/bin/main.js'))
      cleanup(async () => void (await service.stop()))
      for (const path of ['/api/openapi.json', '/docs', '/docs/scalar.js', '/concierge-inbox.js']) {
        const response = await fetch(`${service.url}${path}`)
        assert.equal(response.status, 200, path)
        assert.isAbove((await response.arrayBuffer()).byteLength, 100, path)
      }
    })

    test('keeps what it compiled for the next start', async ({ assert }) => {
      const service = await startProductionService(
        { NODE_COMPILE_CACHE: undefined },
        join(copy.root, 'build/bin/main.js')
      )
      await service.stop()
      const kept = await readdir(join(copy.root, 'build/compile_cache'), { recursive: true })
      assert.isAbove(kept.length, 100)
    })

    test('explains how to add OpenTelemetry when a collector is set', async ({ assert }) => {
      const started = startProductionService(
        { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' },
        join(copy.root, 'build/bin/main.js')
      )
      const { message } = await started.then(
        (service) => service.stop().then(() => new Error('it started')),
        (error: Error) => error
      )
      assert.match(message, /Concierge did not start: OTEL_EXPORTER_OTLP_ENDPOINT .*npm install/)
    })

    test('has the operator’s commands only', async ({ assert }) => {
      const { output } = await copy.node(['build/bin/console.js', 'list'], {
        NODE_ENV: 'production',
      })
      assert.include(output, 'migration:run')
      assert.include(output, 'queue:work')
      for (const name of [
        'make:module',
        'openapi:generate',
        'errors:reference',
        'settings:reference',
        'token ',
      ]) {
        assert.notInclude(output, name)
      }
    })
  })
}
