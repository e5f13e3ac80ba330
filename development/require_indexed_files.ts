import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { projectPath } from '#core/process/root'

/** Exits if a generated index names files that were moved or deleted; imports would only crash. */
export function requireIndexedFiles(root = projectPath()) {
  for (const index of globSync('.adonisjs/server/*.ts', { cwd: root, exclude: ['**/*.d.ts'] })) {
    const text = readFileSync(join(root, index), 'utf8')
    const paths = [...text.matchAll(/'#(app\/[^']+)'/g)].map(([, path]) => `${path}.ts`)
    const missing = paths.filter((path) => !existsSync(join(root, path)))
    if (missing.length === 0) continue
    process.stderr.write(
      `${index} names ${missing.join(', ')}, which does not exist. Run: npm run ace -- codegen\n`
    )
    process.exit(1)
  }
}
