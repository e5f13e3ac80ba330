import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { projectPath } from '#core/process/root'

const INDEXES = {
  controllers: 'app/**/controllers/**/*_controller.ts',
  events: 'app/**/events/*.ts',
  listeners: 'app/**/listeners/*.ts',
}

test.group('The generated index', () => {
  for (const [name, pattern] of Object.entries(INDEXES)) {
    test(`of ${name} lists every file`, ({ assert }) => {
      const cwd = projectPath()
      const index = readFileSync(join(cwd, `.adonisjs/server/${name}.ts`), 'utf8')
      const listed = [...index.matchAll(/'#(app\/[^']+)'/g)].map(([, path]) => `${path}.ts`)
      assert.sameMembers(listed, globSync(pattern, { cwd }), 'run: npm run ace -- codegen')
    })
  }
})
