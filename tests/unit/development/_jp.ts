import { assert } from '@japa/assert'
import { configure, processCLIArgs, run } from '@japa/runner'
processCLIArgs(process.argv.slice(2))
configure({
  files: ['tests/unit/development/**/*.spec.ts'],
  plugins: [assert()],
  importer: (f) => import(f.href),
})
run()
