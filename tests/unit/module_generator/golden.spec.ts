import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { type PlannedFile, planModule } from '#development/module_generator/plan'
import { MODULES } from '#tests/unit/module_generator/modules'
import { projectPath } from '#core/process/root'

const FOLDER = 'tests/unit/module_generator/golden'

/** The files of a module and its additions to shared files. */
async function written(files: PlannedFile[]) {
  const parts = await Promise.all(
    files.map(async ({ path, state, contents }) => {
      const name = path.replace(/\d+_create/, '<moment>_create')
      if (state !== 'extend') return `=== ${name}\n${contents}`
      const before = new Set((await readFile(join(projectPath(), path), 'utf8')).split('\n'))
      const added = contents.split('\n').filter((line) => !before.has(line))
      return `=== ${name}, added\n${added.join('\n')}\n`
    })
  )
  return parts.join('\n')
}

test.group('A generated module', () => {
  test('matches {$self}')
    .with(Object.keys(MODULES))
    .run(async ({ assert }, name) => {
      const planned = await planModule(MODULES[name], projectPath())
      const text = await written(planned)
      const golden = join(projectPath(), FOLDER, name)
      if (process.env.WRITE_GOLDEN) await writeFile(golden, text)

      const states = planned.map(({ state }) => state)
      assert.sameMembers([...new Set(states)], ['missing', 'extend'])
      assert.equal(text, await readFile(golden, 'utf8'), 'meant so? Run it with WRITE_GOLDEN=1')
    })

  test('consists of short files without superfluous blank lines', async ({ assert }) => {
    for (const request of Object.values(MODULES)) {
      const planned = await planModule(request, projectPath())
      for (const { path, state, contents } of planned) {
        if (state !== 'missing') continue
        assert.isBelow(contents.split('\n').length, path.includes('tests/') ? 250 : 100, path)
        assert.notMatch(contents, /\n\n\n|\{\n\n|undefined_|\[object/, path)
        // Vue marks expressions like the stubs.
        if (!path.endsWith('.vue')) assert.notInclude(contents, '{{', path)
      }
    }
  })
})
